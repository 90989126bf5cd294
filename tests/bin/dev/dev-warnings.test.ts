/** Tests of how `fw dev` reports type errors and other warnings to open pages and coding agents. */
import { readFileSync } from "node:fs"
import { type ClientRequest, request } from "node:http"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { explainUnanswered } from "../../../bin/dev/checks.ts"
import type { DevStatus } from "../../../bin/dev/tools/status.ts"
import { ask, type Dev, makeProject, startDev, write } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: warnings on pages")

const page = (field: string, url = "/") =>
  `const user = { name: "Ada" }\n\ntemplate Page() {\n  <h1>{user.${field}}</h1>\n  <a href={"${url}"}>x</a>\n}\n`
const handler = (result: string) =>
  `import type { Context } from "fw"\n\nexport function Get(c: Context): Response {\n  const count: number = ${result}\n  return c.json(200, count)\n}\n`

const fixed = { "app/page.tpl": page("name"), "app/users/route.ts": handler("1") }
const files = {
  ...fixed,
  "app/save/route.ts": 'import type { Context } from "fw"\n\nexport const Post = (c: Context) => c.noContent()\n',
  "app/forms/route.ts": `import { type Context, HttpError } from "fw"

const schema = {
  "~standard": {
    version: 1 as const,
    vendor: "test",
    validate(value: unknown) {
      const { age, name } = value as Record<string, string>
      const issues = [
        ...(name ? [] : [{ message: "Required", path: ["name"] }]),
        ...(Number(age) > 0 ? [] : [{ message: "Not a number", path: ["age"] }]),
        { message: "Too short", path: ["password"] },
      ]
      return { issues }
    },
  },
}
const statuses = { gone: 410, none: 404, no: 403 }
export async function Post(c: Context) {
  const how = c.query("how") as keyof typeof statuses
  if (statuses[how]) throw new HttpError(statuses[how], "the program says so")
  await c.bindForm(schema)
  return c.noContent()
}
export const Get = async (c: Context) => c.json(200, await c.bindQuery(schema))
`,
  "app/odd/route.ts": `import type { Context } from "fw"
import { html } from "fw/html"

const base = String("")

export function Get(c: Context) {
  const user: { id?: number; slug?: string } = { id: 7 }
  if (c.query("html")) return c.html(200, html\`<a href="\${\`\${base}/users/\${user.slug}\`}">x</a>\`)
  return c.redirect(303, \`\${base}/users/\${user.slug}/edit?next=/a\`)
}
export const Post = (c: Context) => c.redirect(303, \`\${base}/users/\${{}}\`)
export const Put = (c: Context) => c.redirect(303, base + "/undefined-words/nullable?next=/null#undefined")
`,
  "app/error.tpl":
    'import type { Context } from "fw"\n\ntemplate Failure(_c: Context, status: number) {\n  <!doctype html><html lang="en"><title>x</title><p>sorry {status}</p></html>\n}\n',
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

/** The warnings of one event, each as its parts, and true if they are being checked again. */
interface Warnings {
  readonly warnings: readonly (readonly (readonly [string, string])[])[]
  readonly isOld: boolean
}

let root: string
let dev: Dev
let port: number
let stream: ClientRequest
const events: Warnings[] = []
/** The events about requests that scripts of pages sent. */
const notes: { readonly path: string; readonly parts: readonly (readonly [string, string])[] }[] = []
let look = () => {}

/** Waits for a wanted event. Each event is returned only once. */
async function shown(isWanted: (event: Warnings) => boolean): Promise<Warnings> {
  for (;;) {
    const at = events.findIndex(isWanted)
    if (at >= 0) return events.splice(0, at + 1).at(-1) as Warnings
    await new Promise<void>((resolve) => {
      look = resolve
    })
  }
}

/** Returns the warning that a page at this path gets if no route answered. */
async function note(path: string, method = "GET"): Promise<string> {
  const url = `/__fw/unanswered?path=${encodeURIComponent(path)}&method=${method}`
  return (await ask(port, url)).body
}

const places = ({ warnings }: Warnings) => warnings.map((parts) => parts.find(([name]) => name === "code")?.[1]).sort()

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
        const about = /^event: note\ndata: (.*)$/.exec(block)?.[1]
        if (about) notes.push(JSON.parse(about))
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

test("type errors of templates and handlers are shown until they are fixed, and type errors of tests are not shown", async () => {
  write(root, { "app/page.tpl": page("nmae"), "app/users/route.ts": handler('"1"') })
  const event = await shown(({ warnings, isOld }) => warnings.length === 2 && !isOld)
  assert.equal(places(event), ["app/page.tpl:4:13", "app/users/route.ts:4:9"])
  const texts = event.warnings.map((parts) => parts.map(([, text]) => text).join("\n")).join("\n")
  for (const part of [
    "Property 'nmae' does not exist",
    '> 4 |   const count: number = "1"',
    "Give it a value of the type that it takes.",
  ])
    assert.ok(texts.includes(part), `"${part}" is missing in: ${texts}`)
  // The page works in spite of the warning.
  assert.match((await ask(port, "/")).body, "<h1></h1>")
  const { token } = JSON.parse(readFileSync(join(root, ".fw/dev.json"), "utf8")) as { token: string }
  const { body } = await ask(port, "/__fw/status", { headers: { authorization: `Bearer ${token}` } })
  const { warnings, state } = JSON.parse(body) as DevStatus
  assert.is(state, "running")
  assert.equal(warnings.map(({ file, line }) => `${file}:${line}`).sort(), ["app/page.tpl:4", "app/users/route.ts:4"])

  write(root, fixed)
  const old = await shown(({ isOld }) => isOld)
  assert.is(old.warnings.length, 2)
  assert.equal(await shown(({ isOld }) => !isOld), { warnings: [], isOld: false })
})

test("a page that no route answers gets the reason, and other pages do not", async () => {
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

const document = { accept: "text/html", "sec-fetch-dest": "document" }
const encoded = { "content-type": "application/x-www-form-urlencoded" }

/** Returns the note on a page, as text. */
function noteOn(body: string): string | undefined {
  const text = / data-note="([^"]*)"/.exec(body)?.[1]
  const parts = text && (JSON.parse(decodeURIComponent(text)) as [string, string][])
  return parts ? parts.map(([, part]) => part).join("\n") : undefined
}

test("the page of a refused form says what each field needs and what was sent, and names the call", async () => {
  const body = "age=abc&password=hush-1&tags=a"
  const sent = { method: "POST", headers: { ...document, ...encoded }, body }
  const { status, headers, body: page } = await ask(port, "/forms", sent)
  assert.is(status, 400)
  assert.is(headers["x-fw-note"], undefined)
  const note = noteOn(page) ?? ""
  assert.match(note, "400: the form is not valid\nname: Required. It was not sent.\n")
  assert.match(note, 'age: Not a number. It was "abc".\npassword: Too short.\nSent fields: age, password, tags.')
  assert.match(note, "app/forms/route.ts:22:")
  assert.match(note, "> 22 |   await c.bindForm(schema)")
  assert.match(note, /only fields that have a name: <input name="name">.*c\.readForm\(\)/)
  assert.not.match(note, "hush")
  const query = noteOn((await ask(port, "/forms?age=", { headers: document })).body) ?? ""
  assert.match(query, /the query is not valid[\s\S]*age: Not a number\. It was sent empty\./)
  assert.not.match(query, "readForm")
  for (const how of ["gone", "none", "no"])
    assert.is(noteOn((await ask(port, `/forms?how=${how}`, sent)).body), undefined, "the program's own page got a note")
  const { body: answer, headers: plain } = await ask(port, "/forms", {
    method: "POST",
    headers: encoded,
    body,
  })
  assert.is(JSON.parse(answer).message, "the form is not valid")
  assert.is(plain["x-fw-note"], undefined, "a client of the API got a note")
})

const htmx = { "hx-request": "true", "hx-current-url": "http://localhost/users?q=1" }
const script = { "sec-fetch-dest": "empty", referer: "http://localhost/users" }
const refusals = [
  ["GET", "/user", htmx, /no route answers GET \/user\..*GET \/user was answered 404, sent by htmx/],
  ["DELETE", "/save", htmx, /\/save answers POST, not DELETE.*was answered 405, sent by htmx/],
  ["GET", "/user?token=hush-2", script, /no route answers GET \/user\..*404, sent by a script/],
  ["POST", "/forms", htmx, /400: the form is not valid.*c\.bindForm\(schema\)/],
  ["POST", "/forms?how=no", htmx, /403: the program says so.*app\/forms\/route\.ts:21:/],
  ["POST", "/forms?how=none", htmx, /404: the program says so/],
  ["POST", "/forms?how=none", script, undefined],
  ["POST", "/forms?how=gone", htmx, undefined],
  ["GET", "/users", htmx, undefined],
  ["GET", "/user", document, undefined],
] as const
for (const [method, path, headers, reason] of refusals) {
  const how = "hx-request" in headers ? "htmx" : "accept" in headers ? "the browser" : "a script"
  test(`${method} ${path} of ${how} ${reason ? "is explained on its page" : "is not explained"}`, async () => {
    notes.length = 0
    const body = method === "POST" ? { body: "name=" } : {}
    await ask(port, path, { method, headers: { ...headers, ...encoded }, ...body })
    // This request's event comes after the event that the earlier request may have.
    await ask(port, "/last", { headers: htmx })
    while (!notes.some(({ parts }) => parts.some(([, text]) => text.includes("/last"))))
      await new Promise<void>((resolve) => {
        look = resolve
      })
    const [first, second] = notes
    if (!reason) return assert.is(second, undefined)
    const text = first?.parts.map(([, part]) => part).join(" ") ?? ""
    assert.match(text.replaceAll("\n", " "), reason)
    assert.is(first?.path, "/users")
    assert.not.match(text, "hush")
  })
}

test("a URL that contains the text of a missing value is reported once with its position, and similar words are not", async () => {
  for (const [method, path] of [
    ["PUT", "/odd"],
    ["GET", "/odd"],
    ["GET", "/odd"],
    ["POST", "/odd"],
    ["GET", "/odd?html=1"],
  ] as const)
    await ask(port, path, { method })
  const event = await shown(({ warnings }) => warnings.length >= 3)
  const texts = event.warnings.map((parts) => parts.map(([, text]) => text).join("\n"))
  const urls = texts.flatMap((text) => /^the URL (.*) was made with (.*) in its path\n(.*)/.exec(text)?.slice(1) ?? [])
  assert.equal(urls, [
    ...['"/users/undefined/edit?next=/a"', "undefined", "app/odd/route.ts:9:12"],
    ...['"/users/[object%20Object]"', "an object", "app/odd/route.ts:11:39"],
    ...['"/users/undefined"', "undefined", "app/odd/route.ts:8:43"],
  ])
  write(root, fixed)
  await shown(({ warnings }) => warnings.length === 0)
})

test("a value that a template blocked is shown as a warning until another program runs", async () => {
  write(root, { "app/page.tpl": page("name", "javascript:alert(1)") })
  const isBlocked = (event: Warnings) => places(event).includes("app/page.tpl:5:12")
  // Repeats until the changed program answers.
  while (!events.some(isBlocked)) await ask(port, "/")
  const event = await shown(isBlocked)
  // On a busy machine the program may be slow to start, which adds a warning without a position.
  assert.equal(
    places(event).filter((place) => place !== undefined),
    ["app/page.tpl:5:12"],
  )
  write(root, fixed)
  await shown(({ warnings }) => warnings.length === 0)
})

test.run()
