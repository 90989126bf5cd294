/**
 * Tests of a handler for every method: the document has an operation for each method without a handler of its own.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument } from "../../../bin/openapi/openapi.ts"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const every = suite("handlers for every method")
let root: string
let items: Record<string, Record<string, Record<string, unknown>>>

every.before(async () => {
  root = makeProject(
    {
      "app/api/hook/[id]/route.ts": `import type { Context } from "fw"
export function Get(c: Context) {
  return c.json(200, { id: c.param("id") })
}
/** Takes a call. */
export async function All(c: Context) {
  if (c.method === "DELETE") return c.noContent()
  return c.json(202, await c.bind<{ event: string }>())
}
`,
      "app/api/guarded/[id]/route.ts": `import { type Context, forbidden, type HandlerFunc } from "fw"
const access = (next: HandlerFunc): HandlerFunc => async (c) => {
  const id = c.param("id") || (await c.bind<{ id?: string }>()).id
  if (id === "0") throw forbidden("not yours")
  return next(c)
}
export const Get = access((c: Context) => c.json(200, {}))
export const Put = access((c: Context) => c.json(200, {}))
`,
      "app/page.ts": 'import { html } from "fw/html"\nexport const Page = () => html`<p>home</p>`\n',
      "app/route.ts": 'import type { Context } from "fw"\nexport const All = (c: Context) => c.string(200, c.method)\n',
      "main.ts": `import { App } from "fw"
const app = new App()
app.put("/hand", (c) => c.noContent())
app.all("/hand", async (c) => c.json(200, await c.bind<{ event: string }>()))
export default app
`,
    },
    ["fw", "typescript"],
  )
  const { document, warnings } = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
  assert.equal(warnings, [])
  items = document.paths as typeof items
})

every("a handler for every method gives an operation for each method without its own handler", () => {
  const shown = Object.entries(items).map(([path, item]) => `${path} ${Object.keys(item).join(" ")}`)
  assert.equal(shown, [
    "/ post put patch delete",
    "/api/guarded/{id} get put",
    "/api/hook/{id} get post put patch delete",
    "/hand get post put patch delete",
  ])
})

every("each operation of a handler for every method has its own answers and name, and GET has no body", () => {
  const hook = items["/api/hook/{id}"] ?? {}
  assert.equal(Object.keys(hook.delete?.responses ?? {}), ["204", "default"])
  assert.equal(Object.keys(hook.patch?.responses ?? {}), ["202", "400", "default"])
  assert.is(hook.get?.summary, undefined)
  assert.is(hook.post?.summary, "Takes a call.")
  const ids = Object.values(items).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  assert.is(new Set(ids).size, ids.length)
  assert.is(items["/hand"]?.get?.requestBody, undefined)
  assert.ok(items["/hand"]?.post?.requestBody)
})

every("behind a guard that may read a body, a GET has no body and no answer 400", () => {
  const { get, put } = items["/api/guarded/{id}"] ?? {}
  assert.equal([get?.requestBody, Object.keys(get?.responses ?? {})], [undefined, ["200", "403", "default"]])
  assert.ok(put?.requestBody)
  assert.equal(Object.keys(put?.responses ?? {}), ["200", "400", "403", "default"])
})

every("fw routes lists a handler for every method with *, and fw routes --explain finds the handler", async () => {
  const { stdout } = await fw(["routes"], { cwd: root })
  assert.match(stdout, /^ *\* +\/api\/hook\/\{id\} +app\/api\/hook\/\[id\]\/route\.ts$/m)
  const explained = await fw(["routes", "--explain", "PATCH", "/api/hook/7"], { cwd: root })
  assert.match(explained.stdout, /Answer +All of app\/api\/hook\/\[id\]\/route\.ts:6/)
})

every.run()
