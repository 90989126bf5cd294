/** The stand-in for a Response before a program has named Response: it loads that class exactly when a program could notice. */
import { execFileSync } from "node:child_process"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { disguiseWhenUsed } from "../../../adapters/node/disguise.ts"
import { root } from "../../support/tsc.ts"

const real = globalThis.Response

/** Runs `see` on a stand-in while Response is a global that is not loaded yet, as in a new process of Node. */
function fresh<T>(see: (standIn: Response) => T): { readonly seen: T; readonly isLoaded: boolean } {
  let isLoaded = false
  const define = (value: unknown) =>
    Object.defineProperty(globalThis, "Response", { value, configurable: true, writable: true })
  Object.defineProperty(globalThis, "Response", {
    configurable: true,
    get() {
      isLoaded = true
      define(real)
      return real
    },
    set: define,
  })
  try {
    const prototype = {
      get status() {
        return 201
      },
    }
    disguiseWhenUsed(prototype, () => new real("text", { status: 201, headers: { "x-a": "1" } }))
    return { seen: see(Object.create(prototype)), isLoaded }
  } finally {
    define(real)
  }
}

class Other {}

const members: [name: string, see: (r: Response) => unknown, loads: boolean, expected: unknown][] = [
  ["status", (r) => r.status, false, 201],
  ["then", (r) => (r as unknown as { then?: unknown }).then, false, undefined],
  ["instanceof another class", (r) => r instanceof Other, false, false],
  ["instanceof Object", (r) => r instanceof Object, false, true],
  ["instanceof Response", (r) => r instanceof Response, true, true],
  ["Response.prototype", (r) => Object.prototype.isPrototypeOf.call(Response.prototype, r), true, true],
  ["constructor first", (r) => r.constructor === Response, true, true],
  ["headers", (r) => r.headers.get("x-a"), true, "1"],
  ["a method", (r) => r.clone().status, true, 201],
  ["in", (r) => ["headers" in r, "nothing" in r], true, [true, false]],
  ["then in", (r) => [r.ok, "then" in r], true, [true, false]],
  ["what a program adds", (r) => Object.assign(r, { mine: 1 }).mine, true, 1],
  ["its type", (r) => Object.prototype.toString.call(r), true, "[object Response]"],
  [
    "for in",
    (r) => {
      const keys: string[] = []
      for (const key in r) keys.push(key)
      return ["status", "headers", "clone", "then", "constructor"].map((key) => keys.includes(key))
    },
    true,
    [true, true, true, false, false],
  ],
  [
    "another Response in its place",
    (r) => {
      globalThis.Response = Other as never
      return [Response === (Other as unknown), r instanceof real, r.ok]
    },
    true,
    [true, true, true],
  ],
]

for (const [name, see, loads, expected] of members) {
  test(`${loads ? "loads" : "does not load"} Response: ${name}`, () => {
    const { seen, isLoaded } = fresh(see)
    assert.equal([seen, isLoaded], [expected, loads])
  })
}

test("several kinds of stand-ins are disguised at the same time", () => {
  const { seen } = fresh((first) => {
    const prototype = {}
    disguiseWhenUsed(prototype, () => new real())
    return [Object.create(prototype), first].map((standIn) => standIn instanceof Response)
  })
  assert.equal(seen, [true, true])
})

/** Results of a handler, as source, and the answer. */
const handlers: [name: string, result: string, status: number, body: string][] = [
  ["text", 'c.string(200, "hi")', 200, "hi"],
  ["JSON", "c.json(200, { a: 1 })", 200, '{"a":1}'],
  ["markup", "c.html(200, html`<p>hi</p>`)", 200, "<p>hi</p>"],
  ["a page", 'c.page(200, "Title", html`<p>hi</p>`)', 200, "<p>hi</p>"],
  ["a redirect", 'c.redirect(303, "/")', 303, ""],
  ["no content", "c.noContent()", 204, ""],
  ["a cookie", '(c.setCookie({ name: "a", value: "b" }), c.string(200, "hi"))', 200, "hi"],
  ["an error", 'Promise.reject(notFound("none"))', 404, '{"error":"not_found","message":"none"}'],
  ["a body", "c.bind().then((body) => c.json(200, body))", 200, '{"a":1}'],
]

for (const [name, result, status, expected] of handlers) {
  test(`a server answers without loading Response: ${name}`, () => {
    const { answer, isLoaded } = answerOf(
      `app.post("/", (c) => ${result})`,
      '{ method: "POST", headers: { "content-type": "application/json" } }',
    )
    assert.equal([answer, isLoaded], [`${status} ${expected}`, false])
  })
}

for (const [result, status] of [
  ['c.string(200, "hi")', 200],
  ["c.noContent()", 204],
  ['c.redirect(303, "/")', 303],
] as const) {
  test(`a server answers HEAD without loading Response: ${result}`, () => {
    const { answer, isLoaded } = answerOf(`app.get("/", (c) => ${result})`, '{ method: "HEAD" }')
    assert.equal([answer, isLoaded], [`${status} `, false])
  })
}

test("a server answers without loading Response: a page of the route directory in its layout", () => {
  const layouts = '[{ path: "/", file: "layout.ts" }]'
  const pages =
    '[{ pattern: "/", segments: [], names: [], file: "page.ts", middleware: [], layout: 0, title: "Home" }]'
  const modules =
    '{ "page.ts": { Page: () => html`<p>hi</p>` }, "layout.ts": { Layout: (title, c, children) => children } }'
  const { answer, isLoaded } = answerOf(
    `await app.mount({ tree: { ...emptyTree, layouts: ${layouts}, pages: ${pages} }, modules: ${modules} })`,
    '{ method: "GET" }',
  )
  assert.equal([answer, isLoaded], ["200 <p>hi</p>", false])
})

/** Answers a request in a new process. @param setup of the `app`. @param options of the request. */
function answerOf(setup: string, options: string): { readonly answer: string; readonly isLoaded: boolean } {
  const program = `
    import { App, notFound } from "fw"
    import { html } from "fw/html"
    import { request } from "node:http"
    const app = new App({ logger: false })
    const emptyTree = { appDir: "app", routes: [], pages: [], middleware: [], layouts: [] }
    app.use((next) => async (c) => next(c))
    ${setup}
    await app.listen("127.0.0.1:0")
    const options = ${options}
    request("http://" + app.addr, options, async (answer) => {
      let text = answer.statusCode + " "
      for await (const part of answer) text += part
      const isLoaded = Object.getOwnPropertyDescriptor(globalThis, "Response").get === undefined
      process.stdout.write(JSON.stringify({ answer: text, isLoaded }))
      process.exit()
    }).end(options.method === "POST" ? '{"a":1}' : undefined)`
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: root, encoding: "utf8" }),
  )
}

test.run()
