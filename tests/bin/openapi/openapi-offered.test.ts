/** Tests that the document contains the API, and leaves out what only pages use: forms, redirects and fragments. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findServedParts } from "../../../bin/openapi/embedded-api.ts"
import { makeProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const test = suite("what is in the document")

const head = 'import { badRequest, type Context } from "fw"\n'
const routes = {
  "app/tasks/route.ts": `${head}
export function Get(c: Context) { return c.json(200, [1]) }
export async function Post(c: Context) { await c.form(); return c.redirect(303, "/tasks") }
export function Delete(c: Context) { return c.noContent() }
`,
  "app/sign-in/route.ts": `${head}
export async function Post(c: Context) {
  const text = await c.formValue("name")
  if (text === "") return c.html(422, "<p>again</p>")
  if (text === "?") throw badRequest("no")
  return c.redirect(303, "/")
}
`,
  "app/part/route.ts": `${head}export function Get(c: Context) { return c.html(200, "<p></p>") }\n`,
  "app/both/route.ts": `${head}export function Get(c: Context) { return c.isJSON ? c.json(200, 1) : c.html(200, "<p></p>") }\n`,
  "app/go/route.ts": `${head}/** @operationId go */
export function Get(c: Context) { return c.redirect(302, "/") }
`,
  "app/export/route.ts": `${head}export function Get(c: Context) { return c.blob(200, "text/csv", "a") }\n`,
}
/**
 * A page, and the CSV, file and event stream that it loads. The document contains them, but not the JSON that it
 * loads.
 */
const pages = {
  "app/page.tpl": "template Page() {<p>start</p>}\n",
  "app/orders/page.tpl": "template Page() {<p>orders</p>}\n",
  "app/orders/csv/route.ts": `${head}export function Get(c: Context) { return c.blob(200, "text/csv", "a") }\n`,
  "app/orders/[id]/scan/route.ts": `${head}export function Get(c: Context<"id">) { return c.file("data", c.param("id")) }\n`,
  "app/orders/events/route.ts": `${head}export function Get(c: Context) { return c.sse((events) => events.send("a")) }\n`,
  "app/orders/data/route.ts": `${head}export function Get(c: Context) { return c.json(200, [1]) }\n`,
  "app/orders/named/route.ts": `${head}/** @operationId named */
export function Get(c: Context) { return c.blob(200, "text/csv", "a") }
`,
  "app/orders/upload/route.ts": `${head}export function Put(c: Context) { return c.blob(200, "text/csv", "a") }\n`,
  "app/ordersheet/route.ts": `${head}export function Get(c: Context) { return c.blob(200, "text/csv", "a") }\n`,
}

test("downloads and event streams of a page are left out", async () => {
  const root = makeProject({ ...pages, "main.ts": main("") }, ["fw", "typescript"])
  const { document } = await makeProjectDocument(root, { appDir: "app" })
  const paths = Object.keys(document.paths as object).sort()
  assert.equal(paths, ["/orders/data", "/orders/named", "/orders/upload", "/ordersheet"])
})

const main = (options: string) =>
  `import { App } from "fw"\nconst app = new App()\napp.openapi(${options})\nexport default app\n`

/** Options in `main.ts`, and the operations of the document. */
const rows: readonly (readonly [options: string, ...operations: string[]])[] = [
  ["", "delete /tasks", "get /both", "get /export", "get /go", "get /tasks"],
  ['{ exclude: ["/export", "/go"] }', "delete /tasks", "get /both", "get /tasks"],
  ['{ include: ["/tasks/*", "/part"], exclude: [] }', "delete /tasks", "get /part", "get /tasks", "post /tasks"],
  ['{ include: ["/*"], exclude: ["/tasks/*"] }', "get /both", "get /export", "get /go", "get /part", "post /sign-in"],
]

for (const [options, ...operations] of rows)
  test(`app.openapi(${options}) documents ${operations.join(", ")}`, async () => {
    const root = makeProject({ ...routes, "main.ts": main(options) }, ["fw", "typescript"])
    const { document, warnings } = await makeProjectDocument(root, { appDir: "app" })
    const found = Object.entries(document.paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    )
    assert.equal(found.sort(), operations)
    assert.equal(warnings, [])
  })

/** Options with patterns that are not literals, and the number of warnings. */
const unread: readonly (readonly [options: string, warnings: number])[] = [
  ["{ include: [process.title] }", 1],
  ["{ exclude: process.argv }", 1],
  ['{ include: ["/tasks", process.title], exclude: [...process.argv] }', 2],
  ['{ include: ["/tasks" as const] }', 0],
]

for (const [options, expected] of unread)
  test(`app.openapi(${options}) has ${expected} warnings`, async () => {
    const root = makeProject({ ...routes, "main.ts": main(options) }, ["fw", "typescript"])
    const { warnings } = await makeProjectDocument(root, { appDir: "app" })
    const places = warnings.filter(({ message }) => message.includes("no effect")).map(({ at }) => at)
    const place = { file: "main.ts", line: 3 }
    assert.equal(
      places,
      Array.from({ length: expected }, () => place),
    )
  })

const calls: readonly (readonly [files: Record<string, string>, asked: boolean])[] = [
  [{ "main.ts": main("") }, true],
  [{ "main.ts": "export {}", "lib/api.ts": "export const serve = (app) => app.openapi()" }, true],
  [{ "main.ts": "export {}", "lib/api.test.ts": "app.openapi()" }, false],
  [{ "main.ts": "export {}", "lib/api.ts": "// app.openapi()" }, false],
]

for (const [files, asked] of calls)
  test(`${Object.keys(files).join(" and ")}: the document is ${asked ? "" : "not "}requested`, async () => {
    assert.is((await findServedParts(makeProject(files, ["fw"]))).openapi, asked)
  })

test.run()
