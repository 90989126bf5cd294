/**
 * Tests of pages with deferred blocks: streamed and in order, with errors, time-outs and HEAD, and with clients
 * that disconnect.
 */

import { suite } from "uvu"
import * as assert from "uvu/assert"
import { platform } from "#platform"
import { App } from "../../../lib/app.ts"
import type { Context } from "../../../lib/context.ts"
import type { Html } from "../../../lib/html.ts"
import { compress, secureHeaders } from "../../../lib/index.ts"
import { testClient } from "../../../lib/testing.ts"
import type { Routes } from "../../../lib/tree.ts"
import { load } from "../../fixtures/template/render.ts"

/** A promise with the functions that settle it. */
class Later<T> {
  resolve!: (value: T) => void
  reject!: (error: unknown) => void
  readonly promise = new Promise<T>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })
}

/** The promises for which the blocks of the page wait. Each test sets them. */
let first = new Later<string>()
let second = new Later<string>()
let started: string[] = []
let inBlock: (c: Context) => unknown = () => undefined

const shared = globalThis as { deferTest?: unknown }
shared.deferTest = {
  first: () => {
    started.push("first")
    return first.promise
  },
  second: () => {
    started.push("second")
    return second.promise
  },
  run: (c: Context) => inBlock(c),
}

const templates = await load(`
const { first, second, run } = globalThis.deferTest
template Layout(title: string) {
  <html><head lang="en"><title>{title}</title></head><body id="page"><main>{children}</main><p>{[Foot()]}</p></body></html>
}
template Foot() {<i>foot</i>}
template Two() {
  <h1>shell</h1>
  {defer {<b>{await first()}</b>} pending {<i>one…</i>} failed (error) {<em>{error instanceof Error ? error.name : "?"}</em>}}
  {defer {<b>{await second()}</b>}}
}
template Nested() {
  {defer {
    <u>{await first()}</u>
    {defer {<b>{await second()}</b>} pending {<i>inner…</i>}}
  }}
}
template Changes(c) {{defer {{run(c) === undefined ? "ran" : "?"}} failed (error) {{String(error)}}}}
template Twice() {{defer {{await first()}} failed (error) {{second().then()}}}}
template Code() {<pre>{defer {{await first()}}}</pre>}
template Box() {<template><b>{children}</b></template><i>after</i>}
template Slow() {{defer {{await first()}} pending {…}}}
template Inert() {{Box() {{Slow()}}}}
template Deeper() {<template>empty</template>{defer {{await second()}{Inert()}}}}
template Cells() {
  <table><tbody>{defer {<tr><td>{await first()}</td></tr>} pending {<tr><td>…</td></tr>}}</tbody></table>
}
`)

const names = ["Two", "Nested", "Changes", "Twice", "Cells", "Code", "Inert", "Deeper"]

async function makeApp(more: Record<string, unknown> = {}): Promise<App> {
  const pages = names.map((name) => ({
    pattern: `/${name.toLowerCase()}`,
    file: `app/${name}/page.tpl`,
    middleware: [],
    title: name,
    layout: 0,
  }))
  const modules: Record<string, Record<string, unknown>> = {
    "app/layout.tpl": { Layout: templates.Layout, $fwBodyID: "page" },
  }
  for (const name of names) modules[`app/${name}/page.tpl`] = { Page: templates[name], ...more }
  const routes = {
    tree: {
      appDir: "app",
      routes: [],
      middleware: [],
      pages,
      layouts: [{ file: "app/layout.tpl", path: "/" }],
    },
    modules,
  } as unknown as Routes
  const app = new App({ logger: false })
  app.use(secureHeaders())
  app.use(compress())
  await app.mount(routes)
  return app
}

/** Fetches a path as a browser does. */
const fetched = (app: App, path: string, init: RequestInit = {}) =>
  app.fetch(new Request(`http://localhost${path}`, init), { clientIP: "127.0.0.1" })

/** Returns a function that reads the next part of a body, or undefined at its end. */
function readParts(answer: Response): () => Promise<string | undefined> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  return async () => {
    const { done, value } = await reader.read()
    return done ? undefined : new TextDecoder().decode(value)
  }
}

/** Runs a function, and returns what was reported meanwhile. */
async function reported(run: () => Promise<unknown>): Promise<string> {
  const { report } = platform
  let text = ""
  const changed = platform as { report: (bug: unknown) => void }
  changed.report = (bug) => {
    text += `${bug}\n`
  }
  try {
    await run()
  } finally {
    changed.report = report
  }
  return text
}

const test = suite("deferred blocks")
test.before.each(() => {
  first = new Later()
  second = new Later()
  started = []
  inBlock = () => undefined
})

const head =
  '<html><head lang="en"><script async src="/_fw/defer-1.js"></script><noscript><meta http-equiv="refresh" content="0; url=?fw-defer=off"></noscript><title>Two</title></head><body id="page"><main><h1>shell</h1> '
const foot = "</main><p><i>foot</i></p>"
const block = (id: number, content: string) =>
  `<template data-fw-block="${id}">${content}</template><template data-fw-done="${id}"></template>`
const place = (id: number, pending: string) =>
  `<template data-fw-from="${id}"></template>${pending}<template data-fw-to="${id}"></template>`

test("the page is sent at once, each block when it is ready, and the end tags last", async () => {
  const answer = await fetched(await makeApp(), "/two", { headers: { "accept-encoding": "gzip" } })
  assert.is(answer.status, 200)
  assert.is(answer.headers.get("x-accel-buffering"), "no")
  assert.match(String(answer.headers.get("vary")), "Save-Data")
  assert.match(String(answer.headers.get("vary")), "HX-Request")
  assert.equal(started, [])
  const next = readParts(answer)
  const shell = `${head}${place(1, "<i>one…</i>")} ${place(2, "")}${foot}<template data-fw-shell></template>`
  assert.is(await next(), shell)
  assert.equal(started, ["first", "second"])
  second.resolve("two & more")
  assert.is(await next(), block(2, "<b>two &amp; more</b>"))
  first.resolve("one")
  assert.is(await next(), block(1, "<b>one</b>"))
  assert.is(await next(), "</body></html>")
  assert.is(await next(), undefined)
})

test("browsers without JavaScript are redirected to the page without streaming, with the query of the page", async () => {
  const next = readParts(await fetched(await makeApp(), "/two?a=1&b=%22"))
  assert.match(String(await next()), 'content="0; url=?a=1&amp;b=%22&amp;fw-defer=off"')
  first.resolve("")
  second.resolve("")
})

test("a block inside another block is sent after the outer one", async () => {
  const next = readParts(await fetched(await makeApp(), "/nested"))
  await next()
  first.resolve("outer")
  assert.is(await next(), block(1, `<u>outer</u> ${place(2, "<i>inner…</i>")}`))
  second.resolve("inner")
  assert.is(await next(), block(2, "<b>inner</b>"))
  assert.is(await next(), "</body></html>")
})

const whole = `<h1>shell</h1> <b>one</b> <b>two</b>`
const page = `<html><head lang="en"><title>Two</title></head><body id="page"><main>${whole}${foot}</body></html>`
const inOrder: Record<string, [text: string, run: (app: App) => Promise<Response>]> = {
  "a request with Save-Data": [page, (app) => fetched(app, "/two", { headers: { "save-data": "on" } })],
  "a request with fw-defer=off": [page, (app) => fetched(app, "/two?fw-defer=off")],
  "a request with fw-defer=off after an empty one": [page, (app) => fetched(app, "/two?fw-defer=&fw-defer=off")],
  "app.request()": [page, (app) => app.request("/two")],
  "testClient()": [page, (app) => testClient(app).request("/two")],
  "a request for a fragment": [whole, (app) => fetched(app, "/two", { headers: { "hx-request": "true" } })],
}
for (const [name, [text, run]] of Object.entries(inOrder)) {
  test(`${name} gets the whole page in order`, async () => {
    const answer = await run(await makeApp())
    assert.is(answer.headers.get("x-accel-buffering"), null)
    assert.match(String(answer.headers.get("vary")), "Save-Data")
    second.resolve("two")
    first.resolve("one")
    assert.is(await answer.text(), text)
  })
}

test("the first newline of a block in a pre element stays", async () => {
  for (const path of ["/code", "/code?fw-defer=off"]) {
    first = new Later()
    const answer = await fetched(await makeApp(), path)
    first.resolve("\none")
    // The HTML parser drops a newline after this tag.
    assert.match(await answer.text(), path === "/code" ? "<pre>\n<template" : "<pre>\n\none</pre>")
  }
})

test("a page with a block in a template element is sent in order", async () => {
  const answer = await fetched(await makeApp(), "/inert")
  first.resolve("one")
  const text = await answer.text()
  assert.match(text, "<template><b>one</b></template><i>after</i>")
  assert.not.match(text, "data-fw")
})

test("a block that contains a template element is sent in order, and template elements next to blocks change nothing", async () => {
  const next = readParts(await fetched(await makeApp(), "/deeper"))
  assert.match(String(await next()), `<template>empty</template>${place(1, "")}`)
  second.resolve("two")
  first.resolve("one")
  assert.is(await next(), block(1, "two<template><b>one</b></template><i>after</i>"))
})

test("c.html(), c.stream() and events.send() refuse a block, because only a page can complete it", async () => {
  const app = new App({ logger: false })
  const html = () => (templates.Two as () => Html)()
  app.get("/html", (c) => c.html(200, html()))
  app.get("/text", (c) => c.html(200, "<!--fw-defer:00000000-0000-0000-0000-000000000000-->"))
  app.get("/stream", (c) =>
    c.stream(
      200,
      (async function* () {
        yield html()
      })(),
      "text/html",
    ),
  )
  app.get("/events", (c) => c.sse((events) => events.send({ data: html() })))
  for (const [path, call] of [
    ["/html", "c.html()"],
    ["/stream", "c.stream()"],
    ["/events", "events.send()"],
  ]) {
    let failure: unknown
    const log = await reported(async () => {
      await (await app.request(String(path))).text().catch((error) => {
        failure = error
      })
    })
    assert.match(`${log}${failure}`, `${call} was given markup with a {defer} block, which only a page can complete`)
  }
  assert.is((await app.request("/text")).status, 200)
})

test("HEAD gets the headers of GET and runs no block", async () => {
  const app = await makeApp()
  const answer = await fetched(app, "/two", { method: "HEAD" })
  const got = await fetched(app, "/two")
  const names = (one: Response) => [...one.headers].map(([name, value]) => `${name}: ${value}`)
  assert.equal(names(answer), names(got))
  assert.is(await answer.text(), "")
  assert.equal(started, [])
})

const changes: Record<string, (c: Context) => unknown> = {
  "c.set()": (c) => c.set("a", 1),
  'c.setHeader("x-a")': (c) => c.setHeader("x-a", "b"),
  "c.setCookie()": (c) => c.setCookie({ name: "a", value: "b" }),
  "c.redirect()": (c) => c.redirect(303, "/"),
  "c.setCookie() ": (c) => c.flash("a"),
}
for (const [call, run] of Object.entries(changes)) {
  for (const path of ["/changes", "/changes?fw-defer=off"]) {
    test(`${call.trim()} in a block of ${path} is an error`, async () => {
      inBlock = run
      let text = ""
      const log = await reported(async () => {
        text = await (await fetched(await makeApp(), path)).text()
      })
      const message = `${call.trim()} was called in a {defer} block, after the headers were sent`
      assert.match(text.replaceAll("&quot;", '"'), message)
      assert.match(log, message)
    })
  }
}

test("middleware can change the response until the page is sent", async () => {
  const app = await makeApp()
  const answer = await fetched(app, "/two")
  assert.is(answer.headers.get("x-content-type-options"), "nosniff")
})

test("a block that fails prints its failed part, with status 200, and its error is reported", async () => {
  for (const path of ["/two", "/two?fw-defer=off"]) {
    first = new Later()
    second = new Later()
    const answer = await fetched(await makeApp(), path)
    const log = await reported(async () => {
      first.reject(new RangeError("a <secret>"))
      second.reject(new Error("other"))
      const text = await answer.text()
      assert.match(text, "<em>RangeError</em>")
      assert.not.match(text, "secret")
      assert.match(text, /<\/main>/)
    })
    assert.match(log, "RangeError: a <secret>")
    assert.match(log, "Error: other")
    assert.is(answer.status, 200)
  }
})

test("a block whose failed part fails too prints nothing, and both errors are reported", async () => {
  const log = await reported(async () => {
    const answer = await fetched(await makeApp(), "/twice")
    first.reject(new Error("once"))
    assert.match(await answer.text(), block(1, ""))
  })
  assert.match(log, "once")
  assert.match(log, "A promise cannot be printed")
})

test("a block that takes longer than deferTimeout fails with a TimeoutError", async () => {
  const log = await reported(async () => {
    const answer = await fetched(await makeApp({ deferTimeout: 0.001 }), "/two")
    assert.match(await answer.text(), block(1, "<em>TimeoutError</em>"))
  })
  assert.match(log, "a deferred block took more than 0.001 s")
})

test("a client that disconnects ends the other blocks, and nothing is reported", async () => {
  const answer = await fetched(await makeApp(), "/nested")
  const log = await reported(async () => {
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    const rest = reader.read()
    await reader.cancel()
    first.resolve("outer")
    assert.equal(await rest, { done: true, value: undefined })
    await Promise.resolve()
  })
  assert.equal(started, ["first"])
  assert.is(log, "")
})

test("the script is served with a long cache time, and is shorter than 2,500 characters", async () => {
  const answer = await fetched(await makeApp(), "/_fw/defer-1.js")
  assert.is(answer.headers.get("content-type"), "text/javascript; charset=utf-8")
  assert.match(String(answer.headers.get("cache-control")), "immutable")
  assert.ok((await answer.text()).length < 2500)
})

test("an invalid deferTimeout is an error", async () => {
  for (const [deferTimeout, shown] of [
    [0, "0"],
    [Number.NaN, "null"],
    [2_147_484, "2147484"],
  ] as const) {
    const error = await makeApp({ deferTimeout }).catch((thrown: unknown) => thrown)
    assert.match(String(error), `deferTimeout in app/Two/page.tpl must be a number of seconds above 0, not ${shown}`)
  }
})

test.after(() => {
  delete shared.deferTest
})

test.run()
