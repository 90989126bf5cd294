// Tests that attacks in every part of a page that takes a value do nothing in a real browser: each is rendered,
// loaded, hovered, clicked, focused and submitted, and text remains text.

import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { $fwScript, escapeHtml, html } from "../../lib/html.ts"
import { load } from "../fixtures/template/render.ts"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { places } from "../support/template/xss-places.ts"
import { nameVectors, styleVectors } from "../support/template/xss-styles.ts"
import { foreignUrls, markupVectors, urlVectors } from "../support/template/xss-vectors.ts"
import { root } from "../support/tsc.ts"

const vectors = [...new Set([...markupVectors, ...urlVectors, ...styleVectors])]
const harmless = "harmless"
const inPage = fileURLToPath(new URL("../../tests/support/browser-attack.js", import.meta.url))
const documents = new Map<string, string>()

let browser: TestBrowser
let guarded: GuardedPage
/** Code that ran, opened a window or left the page since the page was loaded. */
let incidents: string[] = []
/** Requests to other hosts. */
let foreign: string[] = []

const server = createServer(({ url = "", headers }, response) => {
  if (!headers.host?.startsWith("127.0.0.1:")) {
    // Another host answers with code that would do harm if it ran in this page.
    response.writeHead(200, { "content-type": "text/javascript" }).end("fw_pwned()")
    return
  }
  const page = documents.get(url)
  response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" })
  response.end(page ?? "")
})

const port = (): number => (server.address() as AddressInfo).port

test.before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  browser = await startBrowser(port())
  guarded = await browser.page({
    // A blocked or missing URL is no failure here, because the injected functions report code that runs.
    expected: /./,
    init: inPage,
    foreign: (url) => foreign.push(url),
  })
  const { page, context } = guarded
  page.on("console", (message) => {
    if (message.text().startsWith("fw-pwned")) incidents.push(message.text())
  })
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame() && !documents.has(new URL(frame.url()).pathname))
      incidents.push(`the page went to ${frame.url()}`)
  })
  context.on("page", (other) => incidents.push(`a window was opened: ${other.url()}`))
})

test.after(async () => {
  await guarded.close()
  await browser.stop()
  server.closeAllConnections()
  server.close()
})

/** Loads the cases as sections of one document. */
async function show(cases: readonly string[]): Promise<void> {
  const path = `/${documents.size}`
  const sections = cases.map((text) => `<section>${text}</section>\n`).join("")
  documents.set(path, `<!doctype html><html><head><meta charset="utf-8"></head><body>${sections}</body></html>`)
  incidents = []
  foreign = []
  await guarded.page.goto(`http://127.0.0.1:${port()}${path}`)
}

/** Shows the cases, and does everything with them that a visitor could do. */
async function visit(cases: readonly string[]): Promise<{ before: string[]; after: string[]; urls: string[] }> {
  await show(cases)
  const { page } = guarded
  const before = await page.evaluate<string[]>("fwTest.shapes()")
  const urls = await page.evaluate<string[]>("fwTest.unsafeUrls()")
  await page.evaluate("fwTest.fireAll(); fwTest.clickAll()")
  // Markup that is serialised and parsed again, as with innerHTML, must mean the same (mutation XSS).
  await page.evaluate("fwTest.rewrite()")
  const after = await page.evaluate<string[]>("fwTest.shapes()")
  await page.evaluate("fwTest.fireAll()")
  return { before, after, urls }
}

/** Checks that the cases of one position look like the first one, which is harmless, and run no code. */
async function inert(what: string, all: readonly string[]): Promise<void> {
  // Most URLs are blocked, which gives the same output.
  const cases = [...new Set(all)]
  const { before, after, urls } = await visit(cases)
  assert.equal(incidents, [], what)
  assert.equal(foreign, [], what)
  assert.equal(urls, [], what)
  for (const shape of [before, after]) {
    assert.is(shape.length, cases.length, `${what}: a case ended its section`)
    shape.forEach((text, at) => {
      assert.is(text, shape[0], `${what}: ${cases[at]}`)
    })
  }
}

/**
 * Values for URLs. Markup and styles become a relative URL there, which the browser requests, so a few of them are
 * enough.
 */
const fewer = [harmless, ...new Set([...urlVectors, ...markupVectors.filter((_, at) => at % 10 === 0)])]
const given = [harmless, ...vectors]

for (const { body, kind } of places) {
  test(`no attack runs in ${body}`, async () => {
    // Reads the value of a script back: it must be the given value.
    const source =
      kind === "script"
        ? body.replace(/out ?=/, "(window.out ??= []).push(window.last = null), window.out[window.out.length - 1] =")
        : body
    const { Page } = await load(`template Page(v: any) {${source}}`)
    const chosen = /^(?:url|image|srcset)$/.test(kind) ? fewer : given
    const cases = await Promise.all(chosen.map(async (v) => String(await Page?.(v))))
    await inert(body, cases)
    if (kind !== "script" || body.includes("json")) return
    const out = (await guarded.page.evaluate("JSON.stringify(window.out)")) as string
    const expected = given.map((v) => (body.includes("list") ? { v, list: [v], [v]: 1 } : v))
    assert.is(out, JSON.stringify(expected))
  })
}

/** Code before and after a value at positions where the compiler allows no value. Nothing must run there either. */
const wrongPlaces: readonly (readonly [before: string, after: string])[] = [
  ["let y = 'q'; if (y) /", "/.test(y)"],
  ["function f(){}\n/", "/.test('x')"],
  ["let y = '", "'"],
  ["let y = `", "`"],
  ["let y = 1 // ", "\n"],
]

test("no attack runs in scripts, also in a regular expression or a string", async () => {
  const attacks = ["a/.test(y);alert(1);/", "$" + "{alert(1)}", "'-alert(1)-'", "`-alert(1)-`", ...given]
  for (const [before, after] of wrongPlaces) {
    const { Page } = await load(`template Page(v: any) {<script>${before}{{v}}${after}</script>}`).catch(() => ({
      Page: undefined,
    }))
    assert.is(Page, undefined, `the compiler takes ${before}{{v}}${after}`)
    const scripts = attacks.map((v) => `<script>{${before}${$fwScript(v)}${after}}</script>`)
    await visit(scripts)
    assert.equal(incidents, [], before)
  }
})

test("the browser reads exactly the given text and attributes", async () => {
  const { Page } = await load("template Page(v: any) {<p title={v}>{v}</p><textarea>{v}</textarea><input value={v}>}")
  await show(await Promise.all(vectors.map(async (v) => String(await Page?.(v)))))
  const read = (await guarded.page.evaluate(`[...document.querySelectorAll("section")].map((s) =>
    [s.children[0].title, s.children[0].textContent, s.children[1].value, s.children[2].value])`)) as string[][]
  vectors.forEach((v, at) => {
    // See HTML §13.2.3.5 and §13.2.5: all line ends become one type, and U+0000 is dropped or replaced. A lone
    // surrogate is not valid UTF-8.
    const plain = v.replace(/\r\n?/g, "\n").replace(/[\ud800-\udbff](?![\udc00-\udfff])/g, "\ufffd")
    const [title, text, area, input] = read[at] as [string, string, string, string]
    const replaced = plain.replace(/\0/g, "\ufffd")
    assert.equal([title, text, area], [replaced, plain.replace(/\0/g, ""), replaced], JSON.stringify(v))
    assert.is(input, replaced.replace(/\n/g, ""), JSON.stringify(v))
  })
})

test("no attack runs in html literals", async () => {
  const literals: readonly ((v: string) => unknown)[] = [
    (v) => html`<p title="${v}" data-x='${v}'>${v}</p><title>${v}</title><textarea>${v}</textarea>`,
    (v) => html`<a href="${v}" id="${v}">${v}</a><img src="${v}" alt='${v}'>`,
    (v) =>
      html`<form action="${v}"><button formaction='${v}'>${v}</button></form><svg><a xlink:href="${v}">${v}</a></svg>`,
    (v) => html`<script src="${v}"></script><object data="${v}"></object><p hx-get="${v}" hx-confirm="${v}"></p>`,
    (v) => html`<a href="/x/${v}?q=${v}#${v}">${[html`<b>${v}</b>`, v]}</a>`,
  ]
  for (const literal of literals)
    await inert(
      String(literal),
      fewer.map((v) => String(literal(v))),
    )
})

const spreadNames =
  "id name TITLE data-x aria-label href HREF xlink:href formaction background fill __proto__ constructor hx-get hx-confirm"

test("no attack runs in spreads, whatever the names", async () => {
  const { Page } = await load("template Page(v: any) {<p {...v}>x</p><svg><a {...v}>x</a></svg>}")
  for (const name of spreadNames.split(" ")) {
    // JSON.parse() creates `__proto__` as an ordinary key.
    const objects = fewer.map((v) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(v)}}`) as object)
    await inert(`a spread of ${name}`, await Promise.all(objects.map(async (v) => String(await Page?.(v)))))
  }
  for (const name of [...nameVectors, ...markupVectors.filter((v) => /[\s"'<>/=`{}]/.test(v))]) {
    assert.throws(() => Page?.({ [name]: "alert(1)" }), /cannot be spread/, name)
  }
})

test("links, frames and images of other hosts are allowed, but no scripts", async () => {
  const loading = new Set<string>()
  for (const { body, kind } of places.filter((place) => /^(?:url|image|srcset|spread)$/.test(place.kind))) {
    const { Page } = await load(`template Page(v: any) {${body}}`)
    const cases = await Promise.all([harmless, ...foreignUrls].map(async (v) => String(await Page?.(v))))
    const { before } = await visit(cases)
    assert.equal(incidents, [], body)
    for (const shape of before) assert.is(shape, before[0], body)
    if (foreign.length > 0) loading.add(`${kind} ${body}`)
  }
  assert.ok(loading.size > 5)
  for (const what of loading) assert.not.match(what, /<script|<base/)
})

/** A script that htmx runs while it inserts the content, so that the test does not have to wait. */
const injection = "data:text/html,<script>alert(1)</script>"
const loads = 'hx-trigger="load" hx-swap="innerHTML"'
const merged = JSON.stringify({ request: { action: injection } })

/** Attributes that htmx 4 fetches from, merges into its request or runs: an element, and the attacking value. */
const htmxAttacks: readonly (readonly [body: string, value: unknown])[] = [
  ...["hx-action", "hx-query", "hx-get", "data-hx-query", "data-hx-action"].map(
    (name) => [`<p ${loads} ${name}={v}></p>`, injection] as const,
  ),
  [`<p ${loads} {...{ "hx-query": v }}></p>`, injection],
  [`<p ${loads} hx-get="/part" hx-config={v}></p>`, { action: injection }],
  [`<div hx-boost:inherited={v}><a href="/part" ${loads}>x</a></div>`, merged],
  [`<p ${loads} hx-get="/part" hx-status:2xx={v}></p>`, JSON.stringify({ text: "<script>alert(1)</script>" })],
  [`<p ${loads} hx-get="/part" hx-confirm={v}></p>`, "js:alert(1)"],
  [`<p ${loads} hx-get="/part" hx-confirm={v}></p>`, "javascript:alert(1)"],
  // With this prefix, htmx would fetch from any data-target, which is plain text in a template.
  [
    `<meta name="htmx-config" content={v}><p ${loads} data-target="${injection}"></p>`,
    JSON.stringify({ prefix: "data-tar" }),
  ],
]

/** Loads an element in a page with the vendored htmx, and waits until its request has ended. */
async function request(element: string): Promise<void> {
  const path = `/${documents.size}`
  documents.set("/part", "part")
  documents.set("/htmx.js", readFileSync(join(root, "scaffold/full-stack/static/vendor/htmx-4.0.1.min.js"), "utf8"))
  documents.set(
    path,
    `<!doctype html><body><script>
      window.ended = new Promise((resolve) => {
        for (const name of ["htmx:finally:request", "htmx:error"]) addEventListener(name, () => setTimeout(resolve))
      })
    </script><main>${element}</main><script src="/htmx.js"></script></body>`,
  )
  incidents = []
  await guarded.page.goto(`http://127.0.0.1:${port()}${path}`)
  await guarded.page.evaluate("window.ended.then(() => new Promise(requestAnimationFrame))")
}

test("no attack runs through an attribute that htmx fetches from, merges or evaluates", async () => {
  for (const [body, value] of htmxAttacks) {
    const text = typeof value === "string" ? value : JSON.stringify(value)
    const name = /\S+(?:=\{v\}|": v)/.exec(body)?.[0].replace(/=.*|^"|".*/g, "") ?? ""
    const attribute = `${name}="${escapeHtml(text)}"`
    await request(body.replace(/\{\.\.\.\{.*\}\}|\S+=\{v\}/, () => attribute))
    assert.match(incidents.join("\n"), "fw-pwned by alert", `${body} does no harm any more`)
    const { Page } = await load(`template Page(v: any) {${body}}`).catch(() => ({ Page: undefined }))
    if (/^(?:hx-status|content)/.test(name)) assert.is(Page, undefined, "the compiler accepts the attribute")
    if (!Page) continue
    await request(String(await Page(value)))
    // hx-confirm asks the user on purpose.
    assert.not.match(incidents.join("\n"), "fw-pwned by alert", body)
  }
})

test("these tests notice attacks that work", async () => {
  const seen = async (cases: readonly string[]): Promise<string> => {
    await visit(["", ...cases])
    return incidents.join("\n")
  }
  for (const attack of [
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)></svg>",
    "<script>fw_pwned()</script>",
    "<script src=//evil.example/x.js></script>",
    "<p onmouseover=alert(1)>x</p>",
    "<input onfocus=alert(1)>",
    "<form onsubmit=alert(1)><button>x</button></form>",
    "<iframe src='javascript:parent.alert(1)'></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='java&#9;script:alert(1)'>x</a>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<form action='javascript:alert(1)'></form>",
    "<form><button formaction='javascript:alert(1)'>x</button></form>",
  ]) {
    assert.match(await seen([attack]), "fw-pwned", attack)
  }
  const several = await seen([1, 2, 3].map((n) => `<a href="javascript:alert(${n})">x</a>`))
  assert.is(several.split("\n").length, 3, several)
  const { before } = await visit([harmless, "<b>x</b>", "</section>", "<p x>x</p>"])
  assert.is(new Set(before).size > 1, true)
})

test.run()
