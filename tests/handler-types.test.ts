/** Whether handlers have the types that the app calls them by, asked of the project's own TypeScript. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { checkHandlerTypes } from "../bin/project/handler-types.ts"
import { scanDirectory } from "../lib/directory.ts"
import { makeProject } from "./dev-project.ts"

async function problems(files: Readonly<Record<string, string>>, packages = ["fw", "typescript"]) {
  const root = makeProject(files, packages)
  const found = await checkHandlerTypes(root, await scanDirectory(root, "app"))
  return "untyped" in found ? found : found.problems
}

const good = `import type { Context, HandlerFunc } from "fw"
export function Get(c: Context<"id">) { return c.json(200, c.param("id")) }
export const Put: HandlerFunc = async (c) => c.noContent()
export async function Delete(c: Context) { if (c.isJSON) return c.noContent(); throw new Error() }
`

test("what fw can call has no problem, and neither have types that are wrong elsewhere", async () => {
  const found = await problems({
    "app/users/[id]/route.ts": `${good}const wrong: string = 1\n`,
    "app/shop/[[...id]]/route.ts": good,
    "app/plain/route.js": "export function Get(c) { return c.json(200, {}) }\n",
    "app/middleware.ts":
      'import { cors, type MiddlewareFunc } from "fw"\nexport function Middleware(): MiddlewareFunc[] { return [cors()] }\n',
    "app/proxy.ts": 'import { proxy } from "fw"\nexport function Proxy() { return proxy.continue() }\n',
  })
  assert.equal(found, [])
})

test("each export that fw cannot call is named with its line", async () => {
  const found = await problems({
    "app/a/route.ts":
      'import type { Context } from "fw"\n\nexport function Get(c: Context) { return { hello: c.path } }\n\nexport function Post(c: Context, next: () => void) { next(); return c.noContent() }\nexport const Put = (c: Context) => { c.path }\n',
    "app/b/[id]/route.ts":
      'import type { Context } from "fw"\nexport function Get(c: Context<"name">) { return c.string(200, c.param("name")) }\n',
    "app/middleware.ts": "export function Middleware() { return () => 1 }\n",
    "app/proxy.ts": "export function Proxy() { return true }\n",
  })
  assert.ok(Array.isArray(found))
  const lines = found.map(({ code, at, message }) => [code, `${at?.file}:${at?.line}`, message.split(" ")[0]])
  assert.equal(lines.sort(), [
    ["handler_type", "app/a/route.ts:3", "Get"],
    ["handler_type", "app/a/route.ts:5", "Post"],
    ["handler_type", "app/a/route.ts:6", "Put"],
    ["handler_type", "app/b/[id]/route.ts:2", "Get"],
    ["handler_type", "app/middleware.ts:1", "Middleware"],
    ["handler_type", "app/proxy.ts:1", "Proxy"],
  ])
  for (const { message } of found)
    assert.match(message, /is not what fw calls it as: Type .* is not assignable/)
})

test("a project without TypeScript is told so", async () => {
  const found = await problems({ "app/a/route.ts": "export function Get() {}\n" }, ["fw"])
  assert.equal(found, {
    untyped: "TypeScript is not installed in the project",
    fix: "Install it in the project: npm install --save-dev typescript@7",
  })
})

test.run()
