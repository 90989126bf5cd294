/** Tests how the browser shows mistakes that new users make. Each replaces one file under a real `fw dev`. */
import { join } from "node:path"
import type { Page } from "playwright-core"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { type Dev, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"
import { type GuardedPage, startBrowser, type TestBrowser } from "../support/browser.ts"

const test = suite("fw dev: mistakes in a browser")

const route = (body: string) => `import type { Context } from "fw"\n\n${body}\n`
const layout = (body: string) =>
  `template Layout(title: string) {\n  <!doctype html>\n  <html lang="en"><head><title>{title}</title></head><body>${body}</body></html>\n}\n`
const page = (body: string) =>
  `interface User {\n  name: string\n  address?: { city: string }\n}\n\nconst user = { name: "Ada" } as Required<User>\nconst load = async () => user\n\ntemplate Row(user: User) {\n  <li>{user.name}</li>\n}\n\ntemplate Page() {\n${body}\n}\n`

const files: Readonly<Record<string, string>> = {
  "main.ts":
    'import { App, secureHeaders } from "fw"\n\nconst app = new App()\napp.use(secureHeaders())\nexport default app\n',
  "app/layout.tpl": layout("{children}"),
  "app/page.tpl": page("  <h1>Users</h1>\n  {Row(user)}{void load}"),
  "app/users/route.ts": route("export const Get = (c: Context) => c.json(200, [])"),
  "lib/card.tpl": "template Card(number: number) {\n  <p>{number}</p>\n}\n",
  "app/teams/[team]/route.ts": route('export const Get = (c: Context) => c.string(200, c.param("team"))'),
  "app/admin/page.tpl": "template Page() {\n  <h1>Admin</h1>\n}\n",
  "app/admin/middleware.ts": 'import type { Next } from "fw"\n\nexport const Middleware = () => (next: Next) => next\n',
}

/** The file with a mistake, the page that is opened, and the text that it must show. */
interface Mistake {
  readonly file: string
  readonly text: string
  /** The path of the page. Default: `/`. */
  readonly path?: string
  /** The file and line, and parts of the message and the fix. */
  readonly place: string
  readonly says: readonly RegExp[]
  /**
   * True if the build accepts the mistake, so that the program runs and the terminal shows warnings in this order.
   * Default: false.
   */
  readonly warns?: boolean
}

const users = "app/users/route.ts"

const mistakes: Readonly<Record<string, Mistake>> = {
  "the status after the data": {
    file: users,
    text: route("export const Get = (c: Context) => c.json({ users: [] } as never, 200)"),
    path: "/users",
    place: `${users}:3`,
    says: [/The status comes first, as in c\.json\(200, data\)/],
  },
  "a forgotten return": {
    file: users,
    text: route("export function Get(c: Context) {\n  c.json(200, [])\n}"),
    path: "/users",
    place: `${users}:3`,
    says: [/returned nothing, not a Response\. Is a return missing\?/],
  },
  "a forgotten await in a template": {
    file: "app/page.tpl",
    text: page("  <p>{load().then((user) => user.name) as never}</p>"),
    place: "app/page.tpl:14",
    says: [/promise/i, /await/],
  },
  "a property of something undefined in a template": {
    file: "app/page.tpl",
    text: page("  <h1>Users</h1>\n  <p>{user.address.city}</p>"),
    place: "app/page.tpl:15",
    says: [/Cannot read properties of undefined \(reading 'city'\)/],
  },
  "an element that is not closed": {
    file: "app/page.tpl",
    text: page("  <ul>\n    {Row(user)}"),
    place: "app/page.tpl:14",
    says: [/<ul> is never closed/, /Close it with <\/ul> before the "}" of line 16/],
  },
  "a brace that is not closed": {
    file: "app/page.tpl",
    text: page("  <p>{user.name</p>\n  {Row(user)}"),
    place: "app/page.tpl:14",
    says: [/this "\{" is never closed/, /before <\/p>/],
  },
  "a block that is not closed": {
    file: "app/page.tpl",
    text: page("  {if (user.address) {\n    <p>x</p>\n  }"),
    place: "app/page.tpl:14",
    says: [/this \{if\} is never closed/, /"\}" of line 16/],
  },
  "a deferred block that fails": {
    file: "app/page.tpl",
    text: page('  <h1>Users</h1>\n  {defer {\n    <p>{await Promise.reject(new Error("no weather"))}</p>\n  }}'),
    place: "app/page.tpl:16",
    says: [/no weather/],
  },
  "a call in text": {
    file: "app/page.tpl",
    text: page("  <ul>{for (const one of [user]) {Row(one)}}</ul>"),
    place: "app/page.tpl:14",
    says: [/"Row\(one\)" is text here/, /Write \{ \{Row\(one\)\} \}/],
  },
  "a wrong path of an import": {
    file: users,
    text: `import { find } from "../lib/users.ts"\n${route("export const Get = (c: Context) => c.json(200, find())")}`,
    path: "/users",
    place: `${users}:1`,
    says: [/Could not resolve "\.\.\/lib\/users\.ts"/],
  },
  "a package that is not installed": {
    file: users,
    text: `import { z } from "zed"\n${route("export const Get = (c: Context) => c.json(200, z)")}`,
    path: "/users",
    place: `${users}:1`,
    says: [/the package zed is not installed/, /npm install zed/],
  },
  "no default export in main.ts": {
    file: "main.ts",
    text: 'import { App } from "fw"\n\nexport const app = new App()\n',
    place: "main.ts",
    says: [/default/, /export default/],
  },
  "a method in lower case": {
    file: users,
    text: route("export function get(c: Context) {\n  return c.json(200, [])\n}"),
    path: "/users",
    place: `${users}:3`,
    says: [/Rename it to Get/],
  },
  "an object that is not a schema": {
    file: users,
    text: route('export const Get = async (c: Context) => c.json(200, await c.bindQuery({ name: "string" } as never))'),
    path: "/users?name=Ada",
    place: `${users}:3`,
    says: [/Standard Schema/],
  },
  "a text that is thrown": {
    file: users,
    text: route('export function Get(_c: Context) {\n  throw "no such user"\n}'),
    path: "/users",
    place: `${users}:3`,
    says: [/no such user/, /throw new Error|HttpError/],
  },
  "a rejection after the answer": {
    file: "app/page.tpl",
    text: page('  <h1>Users</h1>\n  {void load().then(() => { throw new Error("the mail was not sent") })}'),
    place: "app/page.tpl:15",
    says: [/the mail was not sent/, /Is an await missing\?/],
  },
  "a redirect without a status": {
    file: users,
    text: route('export const Get = (c: Context) => c.redirect("/login" as never, undefined as never)'),
    path: "/users",
    place: `${users}:3`,
    says: [/the status of a redirect is 301, 302, 303, 307 or 308/, /c\.redirect\(303, "\/path"\)/],
  },
  "a middleware file without its export": {
    file: "app/admin/middleware.ts",
    text: 'import type { Next } from "fw"\n\nexport default (next: Next) => next\n',
    path: "/admin",
    place: "app/admin/middleware.ts",
    says: [/Middleware/],
  },
  "a handler of Express": {
    file: users,
    text: "export const Get = ((req, res) => res.json([])) as never\n".replace(
      "(req, res)",
      "(req: unknown, res: { json(data: unknown): void })",
    ),
    path: "/users",
    place: `${users}:1`,
    says: [/A handler gets one argument, the context/],
  },
  "a page with other parameters": {
    file: "app/page.tpl",
    text: "template Page(name: string) {\n  <h1>{name}</h1>\n}\n",
    place: "app/page.tpl:1",
    warns: true,
    says: [/rebuilt in/, /this one takes name: string/, /app\/page\.tpl:1:/, /Write template Page\(c: Context\)/],
  },
  "a component that is not imported": {
    file: "app/page.tpl",
    text: "template Page() {\n  {Card(1)}\n}\n",
    place: "app/page.tpl:2",
    says: [/Card is not defined/, /import \{ Card \} from "\.\.\/lib\/card\.tpl\.ts"/],
  },
  "a name of browsers on the server": {
    file: users,
    text: route("export const Get = (c: Context) => c.string(200, String(localStorage))"),
    path: "/users",
    place: `${users}:3`,
    says: [/localStorage is not defined/, /only browsers have localStorage/],
  },
  "a parameter with a wrong name": {
    file: "app/teams/[team]/route.ts",
    text: route('export const Get = (c: Context) => c.string(200, c.param("teamId"))'),
    path: "/teams/a",
    place: "app/teams/[team]/route.ts:3",
    says: [/no parameter "teamId"\. It has team/, /Write "team"/],
  },
  "a quote that is missing": {
    file: "app/page.tpl",
    text: page('  <div class="card>\n    <p class="name">{user.name}</p>\n  </div>'),
    place: "app/page.tpl:14:8",
    says: [/the value of "class" is never closed/, /class="card"/],
  },
  "a layout without its children": {
    file: "app/layout.tpl",
    text: layout("<h1>Shop</h1>"),
    place: "app/layout.tpl:1",
    warns: true,
    says: [/rebuilt in/, /the layout does not print its children/, /app\/layout\.tpl:1:/],
  },
}

let root: string
let dev: Dev
let port: number
let browser: TestBrowser
let guarded: GuardedPage

test.before(async () => {
  root = makeProject(files)
  dev = startDev(root)
  ;[browser, port] = await Promise.all([startBrowser(), dev.port()])
  guarded = await browser.page({ expected: /status of|net::ERR_|favicon/ })
})

test.after(async () => {
  await guarded.close()
  await browser.stop()
  assert.is(await dev.stop(), 0)
})

/** Returns the text of the problem, which is a page or an overlay on the page. */
async function problem(tab: Page): Promise<string> {
  const shown = tab.locator("[data-problem]").first()
  await shown.waitFor()
  return shown.innerText()
}

for (const [index, [name, { file, text, path = "/", place, says, warns = false }]] of Object.entries(
  mistakes,
).entries()) {
  test(`fw dev shows the mistake: ${name}`, async () => {
    const tab = guarded.page
    try {
      write(root, { [file]: text })
      if (!warns) await dev.says(/rebuilt in|error:/)
      if (warns) {
        for (const part of says) await dev.says(part)
        return
      }
      await tab.goto(`http://localhost:${port}${path}`).catch(() => {})
      const shown = await problem(tab)
      const number = String(index + 1).padStart(2, "0")
      if (process.env.SCREENSHOTS)
        await tab.screenshot({ path: join(process.env.SCREENSHOTS, `mistake-${number}.png`) })
      assert.match(shown, place)
      for (const part of says) assert.match(shown, part, shown)
    } finally {
      write(root, { [file]: files[file] ?? null })
      await dev.says(/rebuilt in/)
    }
  })
}

test.run()
