/** Tests of media types that handlers and `onError` set with headers. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument } from "../../../bin/openapi/openapi.ts"
import { keepTypeCaches } from "../../../bin/openapi/type-cache.ts"
import { makeProject, write } from "../../support/bin/dev/dev-project.ts"

/** The code of a handler, and the media types of its answers by status. */
const rows: ReadonlyArray<readonly [code: string, medias: Readonly<Record<string, readonly string[]>>]> = [
  [
    'const r = c.json(200, { a: 1 }); r.headers.set("Content-Type", "application/ld+json; charset=utf-8"); return r',
    { 200: ["application/ld+json"] },
  ],
  ['c.setHeader("content-type", "application/rss+xml"); return c.xml(200, "<a/>")', { 200: ["application/rss+xml"] }],
  [
    'if (c.isHTMX) { c.setHeader("content-type", "application/rss+xml"); return c.xml(201, "<a/>") } return c.json(200, 1)',
    { 200: ["application/json"], 201: ["application/rss+xml"] },
  ],
  [
    'if (c.isJSON) return c.json(200, 1); c.setHeader("content-type", "application/x-a"); return c.string(201, "x")',
    { 200: ["application/json"], 201: ["application/x-a"] },
  ],
  ['const r = made(c); r.headers.set("content-type", "application/x-b"); return r', { 202: ["application/x-b"] }],
  ["return problem(c)", { 409: ["application/problem+json"] }],
  [
    'const r = c.json(200, 1); const type = c.query("t"); r.headers.set("content-type", type); return r',
    { 200: ["application/json"] },
  ],
  ['const r = c.noContent(); r.headers.set("content-type", "text/css"); return r', { 204: [] }],
  [
    'return Response.json({ a: 1 }, { status: 201, headers: { "Content-Type": "application/hal+json" } })',
    { 201: ["application/hal+json"] },
  ],
  [
    'return Response.json({ a: 1 }, { headers: new Headers({ "content-type": "application/hal+json" }) })',
    { 200: ["application/hal+json"] },
  ],
  ["return Response.json({ a: 1 }, { headers })", { 200: ["application/hal+json"] }],
  ['return new Response("x", { headers: new Headers(headers) })', { 200: ["application/hal+json"] }],
  ['throw new HttpError(409, "x", { headers })', { 409: ["application/json"] }],
]

/** The code of `onError`, and the media types of errors. */
const errors: ReadonlyArray<readonly [code: string, ...medias: string[]]> = [
  [
    'const r = c.json(500, { title: error.message }); r.headers.set("content-type", "application/problem+json"); return r',
    "application/problem+json",
  ],
  [
    'c.setHeader("content-type", "application/problem+json"); return c.json(500, { title: error.message })',
    "application/problem+json",
  ],
  [
    'if (c.isHTMX) return c.json(400, { title: "x" }); return Response.json({ title: "x" }, { status: 500, headers: { "content-type": "application/problem+json" } })',
    "application/json",
    "application/problem+json",
  ],
  [
    'return new Response(JSON.stringify(error), { status: 500, headers: { "content-type": "application/problem+json" } })',
    "application/problem+json",
  ],
  ["return c.json(500, { title: error.message })", "application/json"],
  ["return error instanceof HttpError ? error : c.json(500, {})", "application/json"],
  ['return c.html(500, "<p>")', "application/json"],
]

const media = suite("media types of headers")
let root = ""
let close: () => Promise<void> = async () => {}

media.before(() => {
  const head = `import { type Context, HttpError } from "fw"
const headers = { "content-type": "application/hal+json" } as const
const made = (c: Context) => c.json(202, 1)
function problem(c: Context) { const r = c.json(409, { title: "x" }); r.headers.set("content-type", "application/problem+json"); return r }
void [headers, made, problem, HttpError]
`
  const files = rows.map(([code], i) => [`app/m${i}/route.ts`, `${head}export function Get(c: Context) { ${code} }\n`])
  root = makeProject({ ...Object.fromEntries(files), "main.ts": "export default 1\n" }, ["fw", "typescript"])
  close = keepTypeCaches()
})

media.after(() => close())

type Contents = Readonly<Record<string, { readonly content?: object; readonly $ref?: string }>>

async function read() {
  const { document } = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
  const shared = (document.components as { responses: Contents }).responses
  const paths = document.paths as Record<string, { get: { responses: Contents } }>
  const of = (path: string, status: string) => {
    const answer = paths[path]?.get.responses[status]
    const { content = {} } = answer?.$ref ? (shared[answer.$ref.split("/").at(-1) as string] ?? {}) : (answer ?? {})
    return Object.keys(content)
  }
  return { of, statuses: (path: string) => Object.keys(paths[path]?.get.responses ?? {}) }
}

media("the media types that handlers set are in the document", async () => {
  const { of, statuses } = await read()
  for (const [i, [code, medias]] of rows.entries()) {
    const found = statuses(`/m${i}`).filter((status) => status !== "default")
    const actual = Object.fromEntries(found.map((status) => [status, of(`/m${i}`, status)]))
    assert.equal(actual, medias, code)
  }
})

for (const [code, ...medias] of errors)
  media(`app.onError() with ${code} answers errors as ${medias.join(" and ")}`, async () => {
    write(root, {
      "main.ts": `import { App, HttpError } from "fw"\nvoid HttpError\nconst app = new App()\napp.onError((c, error) => { ${code} })\nexport default app\n`,
    })
    const { of } = await read()
    assert.equal(of("/m0", "default").sort(), medias)
  })

media.run()
