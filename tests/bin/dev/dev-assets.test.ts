/**
 * Tests of files for the browser in `fw dev`: a saved file updates pages, and the program restarts only if it uses
 * the file.
 */
import { type ClientRequest, request } from "node:http"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, type Dev, makeProject, readStatus, startDev, write } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: files for the browser")
const files = {
  "package.json": `{ "type": "module", "imports": { "#assets": "./.fw/assets.ts" } }\n`,
  "app/api/run/route.ts": `import type { Context } from "fw"\n\nconst run = crypto.randomUUID()\nexport const Get = (c: Context) => c.string(200, run)\n`,
  "app/api/shared/route.ts": `import type { Context } from "fw"\nimport { word } from "../../../lib/word.ts"\n\nexport const Get = (c: Context) => c.string(200, word)\n`,
  "lib/word.ts": `export const word = "one"\n`,
  "assets/cart.ts": `import { word } from "../lib/word.ts"\nconsole.log("cart", word)\n`,
  "assets/site.css": "a { color: red }\n",
  "static/logo.svg": "<svg/>",
}
/** The events of `fw dev`, as an open page gets them. */
class Events {
  readonly #outgoing: ClientRequest
  readonly #events: string[] = []
  #look: () => void = () => {}
  #text = ""

  constructor(port: number) {
    this.#outgoing = request({ host: "127.0.0.1", port, path: "/__fw/events" }, (incoming) => {
      incoming.setEncoding("utf8").on("data", (part: string) => this.#take(part))
      incoming.on("error", () => {})
    })
    this.#outgoing.on("error", () => {}).end()
  }

  #take(part: string): void {
    const whole = (this.#text + part).split("\n\n")
    this.#text = whole.pop() as string
    this.#events.push(...whole)
    this.#look()
  }

  /** Waits for an event that no earlier call has returned. */
  async seen(pattern: RegExp): Promise<string> {
    for (;;) {
      const at = this.#events.findIndex((event) => pattern.test(event))
      if (at >= 0) return this.#events.splice(0, at + 1).at(-1) as string
      await new Promise<void>((resolve) => (this.#look = resolve))
    }
  }

  stop(): void {
    this.#outgoing.destroy()
  }
}

let root: string
let dev: Dev
let port: number
let events: Events

test.before(async () => {
  root = makeProject(files)
  dev = startDev(root)
  port = await dev.port()
  events = new Events(port)
  await seen(/^retry|^event: state/)
})
test.after(async () => {
  events.stop()
  await dev.stop()
})

const seen = (pattern: RegExp) => events.seen(pattern)
const read = async (path: string) => (await ask(port, path)).body

test("the first request to fw dev already gets the files for the browser", async () => {
  assert.match(await read("/assets/cart.js"), /"cart"/)
  assert.match(await read("/assets/site.css"), /color: red/)
  assert.match(await read("/assets/cart.js.map"), /"mappings"/)
})

test("a changed stylesheet is replaced, a changed script reloads the page, and the program keeps running", async () => {
  const run = await read("/api/run")
  write(root, { "assets/site.css": "a { color: blue }\n" })
  assert.match(await seen(/^event: (?:styles|reload)/), /styles\ndata: \{"file":"site.css","served":false\}/)
  assert.match(await read("/assets/site.css"), /color: blue/)
  write(root, { "assets/cart.ts": `console.log("basket")\n` })
  await seen(/^event: reload/)
  assert.match(await read("/assets/cart.js"), /basket/)
  assert.is(await read("/api/run"), run)
  write(root, { "assets/cart.ts": files["assets/cart.ts"] })
  await seen(/^event: reload/)
})

test("a change of a module that pages and the program use reaches both", async () => {
  write(root, { "lib/word.ts": `export const word = "two"\n` })
  await seen(/^event: reload/)
  assert.is(await read("/api/shared"), "two")
  assert.match(await read("/assets/cart.js"), /"two"/)
})

test("a mistake is shown on pages and in the terminal until it is fixed, and the program keeps running", async () => {
  write(root, { "assets/cart.ts": `import { readFileSync } from "node:fs"\nconsole.log(readFileSync)\n` })
  assert.match(await seen(/^event: state.*node:fs/s), /assets\/cart\.ts:1:30/)
  await dev.says(
    /error: node:fs is a module of Node, which browsers do not have: assets\/cart\.ts → node:fs\n {2}assets\/cart\.ts:1:30/,
  )
  const { state, problems } = await readStatus(root, port)
  assert.equal([state, problems.length], ["failed", 1])
  write(root, { "lib/word.ts": `export const word = "three"\n` })
  await seen(/^event: state.*node:fs/s)
  assert.is(await read("/api/shared"), "three", "the program still runs the old module")
  write(root, { "assets/cart.ts": files["assets/cart.ts"] })
  await seen(/^event: state.*"problems":\[\]/s)
  await seen(/^event: reload/)
  assert.match(await read("/assets/cart.js"), /"three"/)
  assert.is((await readStatus(root, port)).state, "running")
})

test("while fw dev runs, entries and elements can be added, and entries can be removed", async () => {
  write(root, {
    "assets/new.ts": `console.log("new")
`,
  })
  await seen(/^event: reload/)
  assert.match(await read("/assets/new.js"), /"new"/)
  write(root, { "app/cart.element.ts": "export class CartElement extends HTMLElement {}\n" })
  await seen(/^event: reload/)
  assert.match(await read("/assets/elements/cart-element.js"), /customElements\.define/)
  write(root, { "assets/new.ts": null })
  await seen(/^event: state/)
  assert.is((await ask(port, "/assets/new.js")).status, 404)
})

/** A compiler that writes the class names of the page as rules each time a certain file changes. */
const compiler = `#!/usr/bin/env node
const { readFileSync, watchFile, writeFileSync } = require("node:fs")
const output = process.argv[process.argv.indexOf("--output") + 1]
const compile = () => {
  const [, name] = /class="([a-z-]+)"/.exec(readFileSync("app/page.tpl", "utf8"))
  writeFileSync(output, "." + name + " { background: url(./dot.svg) }")
  console.error("Done in 1ms")
}
compile()
if (process.argv.includes("--watch")) {
  watchFile("app/page.tpl", { interval: 10 }, compile)
  process.stdin.resume().on("end", () => process.exit())
}
`

test("a stylesheet with Tailwind CSS is compiled and then bundled, and again after a template changes", async () => {
  const page = (name: string) => `template Page() {\n  <p class="${name}">x</p>\n}\n`
  const styled = makeProject({
    "app/page.tpl": page("mt-one"),
    "assets/site.css": `@import "tailwindcss";\n`,
    "assets/dot.svg": "<svg/>",
    "compiler.cjs": compiler,
  })
  const run = startDev(styled, ["--port", "0"], { FW_CSS_BINARY: `${styled}/compiler.cjs` })
  const own = await run.port()
  const pages = new Events(own)
  await pages.seen(/^retry|^event: state/)
  const readStyles = async (expected: RegExp) => {
    for (;;) {
      const { body } = await ask(own, "/assets/site.css")
      if (expected.test(body)) return
      await pages.seen(/^event: styles/)
    }
  }
  await readStyles(/\.mt-one \{\s*background: url\("\/assets\/dot\.svg"\)/)
  write(styled, { "app/page.tpl": page("mt-two") })
  await readStyles(/\.mt-two/)
  pages.stop()
  assert.is(await run.stop(), 0)
})

test.run()
