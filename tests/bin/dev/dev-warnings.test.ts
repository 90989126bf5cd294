/** `fw dev`: type errors and other warnings, as open pages and coding agents get them. */
import { readFileSync } from "node:fs"
import { type ClientRequest, request } from "node:http"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { explainUnanswered } from "../../../bin/dev/checks.ts"
import type { DevStatus } from "../../../bin/dev/status.ts"
import { ask, type Dev, makeProject, startDev, write } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: warnings on pages")

const page = (field: string, url = "/") =>
  `const user = { name: "Ada" }\n\ntemplate Page() {\n  <h1>{user.${field}}</h1>\n  <a href={"${url}"}>x</a>\n}\n`
const handler = (result: string) =>
  `import type { Context } from "fw"\n\nexport function Get(c: Context): Response {\n  const count: number = ${result}\n  return c.json(200, count)\n}\n`

const fixed = { "app/page.tpl": page("name"), "app/users/route.ts": handler("1") }
const files = {
  ...fixed,
  "app/save/route.ts":
    'import type { Context } from "fw"\n\nexport const Post = (c: Context) => c.noContent()\n',
  "app/not-found.tpl":
    'template NotFound() {\n  <!doctype html><html lang="en"><title>x</title><p>nothing</p></html>\n}\n',
  "tests/users.test.ts": 'export const wrong: number = "text"\n',
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      target: "ES2022",
      module: "NodeNext",
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
      allowImportingTsExtensions: true,
    },
    include: ["**/*.ts", ".fw/*.ts"],
  }),
}

/** The warnings of one event: the parts of each, and true if they are being checked again. */
interface Warnings {
  readonly warnings: readonly (readonly (readonly [string, string])[])[]
  readonly isOld: boolean
}

let root: string
let dev: Dev
let port: number
let stream: ClientRequest
const events: Warnings[] = []
let look = () => {}

/** Waits for an event; each is seen once. */
async function shown(isWanted: (event: Warnings) => boolean): Promise<Warnings> {
  for (;;) {
    const at = events.findIndex(isWanted)
    if (at >= 0) return events.splice(0, at + 1).at(-1) as Warnings
    await new Promise<void>((resolve) => {
      look = resolve
    })
  }
}

/** Returns the warning that a page with this path gets, if it says that no route answered. */
function note(path: string, method = "GET"): Promise<string> {
  return new Promise((resolve) => {
    const url = `/__fw/events?unanswered=${encodeURIComponent(path)}&method=${method}`
    const open = request({ host: "127.0.0.1", port, path: url, agent: false }, (incoming) => {
      let text = ""
      incoming.setEncoding("utf8").on("data", (part) => {
        text += part
        const found = /event: note\ndata: (.*)\n\n/.exec(text)
        if (!found) return
        open.destroy()
        resolve(found[1] ?? "")
      })
      incoming.on("error", () => {})
    })
    open.on("error", () => {})
    open.end()
  })
}

const places = ({ warnings }: Warnings) =>
  warnings.map((parts) => parts.find(([name]) => name === "code")?.[1]).sort()

test.before(async () => {
  root = makeProject(files, ["fw", "esbuild", "typescript"])
  dev = startDev(root)
  port = await dev.port()
  stream = request({ host: "127.0.0.1", port, path: "/__fw/events", agent: false }, (incoming) => {
    let text = ""
    incoming.setEncoding("utf8").on("data", (part) => {
      text += part
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) {
        const data = /^event: warnings\ndata: (.*)$/.exec(block)?.[1]
        if (data) events.push(JSON.parse(data))
      }
      look()
    })
    incoming.on("error", () => {})
  })
  stream.on("error", () => {})
  stream.end()
})

test.after(async () => {
  stream.destroy()
  assert.is(await dev.stop(), 0)
})

test("a type error of a template and of a handler is shown until it is fixed, and those of tests are not", async () => {
  write(root, { "app/page.tpl": page("nmae"), "app/users/route.ts": handler('"1"') })
  const event = await shown(({ warnings, isOld }) => warnings.length === 2 && !isOld)
  assert.equal(places(event), ["app/page.tpl:4:13", "app/users/route.ts:4:9"])
  const texts = event.warnings.map((parts) => parts.map(([, text]) => text).join("\n")).join("\n")
  for (const part of [
    "Property 'nmae' does not exist",
    '> 4 |   const count: number = "1"',
    "Give it a value of the type that it takes.",
  ])
    assert.ok(texts.includes(part), texts)
  // The page works.
  assert.match((await ask(port, "/")).body, "<h1></h1>")
  const { token } = JSON.parse(readFileSync(join(root, ".fw/dev.json"), "utf8")) as { token: string }
  const { body } = await ask(port, "/__fw/status", { headers: { authorization: `Bearer ${token}` } })
  const { warnings, state } = JSON.parse(body) as DevStatus
  assert.is(state, "running")
  assert.equal(warnings.map(({ file, line }) => `${file}:${line}`).sort(), [
    "app/page.tpl:4",
    "app/users/route.ts:4",
  ])

  write(root, fixed)
  const old = await shown(({ isOld }) => isOld)
  assert.is(old.warnings.length, 2)
  assert.equal(await shown(({ isOld }) => !isOld), { warnings: [], isOld: false })
})

test("a page that no route answers gets the reason, and one that a route answers does not", async () => {
  const headers = { accept: "text/html", "sec-fetch-dest": "document" }
  assert.match((await ask(port, "/user", { headers })).body, / data-unanswered /)
  assert.not.match((await ask(port, "/", { headers })).body, "data-unanswered")
  const sent = await ask(port, "/user", { method: "POST", headers })
  assert.match(sent.body, ' data-unanswered data-method="POST" ')
  for (const [path, reason, method] of [
    ["/users", /\/users answers GET, not POST.*export Post from app\/users\/route\.ts/, "POST"],
    ["/sav", /no route answers POST \/sav. The nearest is \/save/, "POST"],
    ["/user", /no route answers GET \/user. The nearest is \/users.*Write \/users, or add the route\."/],
    ["/save", /\/save answers POST, not GET.*export Get from app\/save\/route\.ts/],
  ] as const) {
    assert.match(await note(path, method), reason)
  }
  const project = { root, appDir: "app" }
  assert.is(await explainUnanswered(project, "GET", "/users"), null)
  assert.is(await explainUnanswered(project, "POST", "/save"), null)
})

test("a blocked value is shown until another program runs", async () => {
  write(root, { "app/page.tpl": page("name", "javascript:alert(1)") })
  await dev.says(/rebuilt in/)
  await ask(port, "/")
  const event = await shown(({ warnings }) => warnings.length === 1)
  assert.equal(places(event), ["app/page.tpl:5:12"])
  write(root, fixed)
  await shown(({ warnings }) => warnings.length === 0)
})

test.run()
