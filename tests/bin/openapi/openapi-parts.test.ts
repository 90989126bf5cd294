/**
 * Tests of smaller parts of operations: headers of answers, files of forms, tags, security and servers. All cases
 * are in one project, which is read once.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const text = { type: "string" }
const file = { type: "string", contentMediaType: "application/octet-stream" }

/** Middleware of the routes below `guards/` by directory, and the security requirements of an operation. */
const guards: Readonly<Record<string, readonly [middleware: string, security: unknown]>> = {
  every: [
    'combine.every(bearerAuth({ tokens: ["a"] }), ipRestriction({ allow: ["::1"] }), jwt({ secret, cookie: "sid" }))',
    [{ bearer: [], sid: [] }],
  ],
  some: [
    'combine.some(combine.every(basicAuth({ users: {} }), jwt({ secret, cookie: "sid" })), bearerAuth({ tokens: ["a"] }))',
    [{ bearer: [] }, { basic: [], sid: [] }],
  ],
  product: [
    'combine.every(combine.some(bearerAuth({ tokens: ["a"] }), basicAuth({ users: {} })), jwt({ secret, cookie: "sid" }))',
    [
      { basic: [], sid: [] },
      { bearer: [], sid: [] },
    ],
  ],
  optional: ['combine.some(bearerAuth({ tokens: ["a"] }), (next: HandlerFunc) => next)', [{ bearer: [] }, {}]],
  except: ['combine.except("/guards/x", bearerAuth({ tokens: ["a"] }))', [{ bearer: [] }, {}]],
  none: ['combine.every(ipRestriction({ allow: ["::1"] }))', []],
  token: ['bearerAuth({ tokens: ["a"], prefix: "Token" })', [{ Authorization: [] }]],
  jwt: ['jwt({ secret, prefix: "Token" })', [{ Authorization: [] }]],
  function: ["key()", [{ apiKey: [] }]],
  constant: ["member", [{ session: [] }]],
  list: ["[open, member, key()]", [{ apiKey: [], session: [] }]],
  someOfOwn: ['combine.some(bearerAuth({ tokens: ["a"] }), key())', [{ apiKey: [] }, { bearer: [] }]],
  everyOfOwn: [
    "combine.every(open, combine.some(member, either()), key())",
    [
      { apiKey: [], session: [] },
      { apiKey: [], basic: [] },
      { "X-Team": [], apiKey: [] },
    ],
  ],
  exceptOfOwn: ['combine.except("/guards/x", key())', [{ apiKey: [] }, {}]],
  onlyOfOwn: ['combine.only("/guards/*", member, key())', [{ apiKey: [], session: [] }, {}]],
  someOpen: ["combine.some(member, open)", [{ session: [] }, {}]],
}
const guardHead = `import { basicAuth, bearerAuth, combine, type HandlerFunc, ipRestriction, jwt, type MiddlewareFunc } from "fw"
import { either, key } from "../../../lib/own-guards.ts"
const secret = "x"
/** @security session */
const member: MiddlewareFunc = (next) => next
const open: MiddlewareFunc = (next) => next
void [basicAuth, bearerAuth, combine, ipRestriction, jwt, secret, either, key, member, open]
type _ = HandlerFunc
`

const files = {
  ...Object.fromEntries(
    Object.entries(guards).flatMap(([name, [middleware]]) => [
      [`app/guards/${name}/middleware.ts`, `${guardHead}export function Middleware() { return ${middleware} }\n`],
      [
        `app/guards/${name}/route.ts`,
        'import type { Context } from "fw"\nexport function Get(c: Context) { return c.noContent() }\n',
      ],
    ]),
  ),
  "app/guards/comment/route.ts": `import type { Context } from "fw"
/**
 * @security bearer JWT & header X-Org the organisation & its members
 * @security basic
 */
export function Get(c: Context) { return c.noContent() }
`,
  "lib/own-guards.ts": `import type { MiddlewareFunc } from "fw"
/** Requires a key. @security apiKey */
export function key(): MiddlewareFunc { return (next) => next }
/**
 * @security basic
 * @security header X-Team
 */
export const either = (): MiddlewareFunc => (next) => next
`,
  "lib/headers.ts": `import type { Context } from "fw"
export function counted(c: Context, total: number) { c.setHeader("X-Total-Count", String(total)) }
`,
  "app/middleware.ts": `import type { MiddlewareFunc } from "fw"
export function Middleware(): MiddlewareFunc { return (next) => (c) => { c.setHeader("X-Trace", "1"); return next(c) } }
`,
  "app/headers/route.ts": `import { type Context, notFound } from "fw"
import { counted } from "../../lib/headers.ts"
function handle(c: Context) {
  counted(c, 3)
  c.setHeader("Content-Type", "application/json")
  if (c.method === "POST") c.setCookie({ name: "session", value: "x" })
  c.appendHeader("Link", "</next>; rel=next")
  c.setHeader("link", "x")
  if (c.isHTMX) throw notFound("x")
  return c.method === "POST" ? c.redirect(303, "/") : c.json(200, [])
}
export { handle as Get, handle as Post }
`,
  "app/refused/middleware.ts": `import type { MiddlewareFunc } from "fw"
export function Middleware(): MiddlewareFunc {
  return (next) => (c) => c.isHTMX ? c.json(403, "no") : c.isJSON ? c.json(200, "cached") : next(c)
}
`,
  "app/refused/route.ts": `import { type Context, forbidden } from "fw"
export function Get(c: Context) {
  c.setHeader("Content-Disposition", "attachment")
  if (c.query("id") === "") throw forbidden("none")
  return c.json(200, [])
}
`,
  "app/forms/route.ts": `import { badRequest, type Context } from "fw"
type Upload = File
type FormDataEntryValue = File | string
export async function Post(c: Context) {
  const form = await c.request.formData()
  const cover = form.get("cover") as File
  const photos = form.getAll("photos") as File[]
  const title = form.get("title") as string
  const scan = form.get("scan") as File | null
  if (scan === null) throw badRequest("a scan")
  const name = form.get("name")
  const back = form.get("back") as unknown as File
  const side = (form.get("side") as Upload | null)!
  const pages = form.getAll("pages") as Array<Blob>
  const either = form.get("either") as File | string
  const kind = form.get("kind") as FormDataEntryValue
  return c.json(200, [kind, cover.size, photos.length, title, scan.size, name, back.size, side.size, pages.length, either])
}
`,
  "app/words/route.ts": `import type { Context } from "fw"
/**
 * @summary The summary.
 * @description The words.
 * @tags a, b
 * @tag c
 * @return What is said.
 */
export function Get(c: Context) { return c.json(200, {} as Words) }
/** Old one. @deprecated use the other */
export function Post(c: Context) { return c.json(200, 1) }
interface Words {
  /** Old one. @deprecated use b */
  a: number
  /** How many. @minimum 1 @maximum 10 */
  b: number
  /** Wrapped text
   * goes on. And on. */
  c: string
}
`,
  "app/member/middleware.ts":
    'import { bearerAuth } from "fw"\nexport function Middleware() { return bearerAuth({ tokens: ["x"] }) }\n',
  "app/member/route.ts":
    'import type { Context } from "fw"\nexport function Get(c: Context) { return c.json(200, 1) }\n',
}

const parts = suite("parts of operations")
let made: ProjectDocument

parts.before(async () => {
  const root = makeProject(files, ["fw", "typescript"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

interface Operation {
  readonly [key: string]: unknown
  readonly responses: Record<
    string,
    { description: string; headers?: object; content?: Record<string, { schema: Record<string, unknown> }> }
  >
  readonly requestBody: { readonly content: Record<string, { schema: unknown }> }
}

function operation(method: string, path: string): Operation {
  const found = (made.document.paths as Record<string, Record<string, Operation>>)[path]?.[method]
  assert.ok(found, `the document has no operation ${method} ${path}`)
  return found as Operation
}

parts("headers that a handler sets are listed with its successful answers", () => {
  const header = { schema: text }
  const { 200: well, 404: none } = operation("get", "/headers").responses
  assert.equal(well?.headers, { "X-Total-Count": header, Link: header, "X-Trace": header })
  assert.is(none?.headers, undefined)
  const { 303: redirect } = operation("post", "/headers").responses
  assert.equal(Object.keys(redirect?.headers ?? {}), ["X-Total-Count", "Set-Cookie", "Link", "X-Trace", "Location"])
  const { 200: either, 403: refused } = operation("get", "/refused").responses
  assert.equal(Object.keys(either?.headers ?? {}), ["Content-Disposition", "X-Trace"])
  assert.equal(
    Object.keys(refused?.headers ?? {}),
    ["X-Trace"],
    "the answer 403 does not have exactly the header of the middleware",
  )
})

parts("a field that a handler reads as a file is a file", () => {
  const { content } = operation("post", "/forms").requestBody
  assert.equal(content, {
    "multipart/form-data": {
      schema: {
        type: "object",
        properties: {
          cover: file,
          photos: { type: "array", items: file },
          title: text,
          scan: file,
          name: text,
          back: file,
          side: file,
          pages: { type: "array", items: file },
          either: file,
          kind: text,
        },
      },
    },
  })
})

parts("tags in comments are read, also after text", () => {
  const get = operation("get", "/words")
  assert.is(get.summary, "The summary.")
  assert.is(get.description, "The words.")
  assert.equal(get.tags, ["c", "a", "b"])
  assert.is(get.responses[200]?.description, "What is said.")
  const post = operation("post", "/words")
  assert.is(post.summary, "Old one.")
  assert.is(post.deprecated, true)
  const { schemas } = made.document.components as { schemas: Record<string, { properties: object }> }
  assert.equal(schemas.Words?.properties, {
    a: { description: "Old one.", type: "number", deprecated: true },
    b: { description: "How many.", type: "number", minimum: 1, maximum: 10 },
    c: { description: "Wrapped text\ngoes on. And on.", type: "string" },
  })
})

parts("if some operations are guarded, the other operations have an empty security list", () => {
  assert.equal(operation("get", "/member").security, [{ bearer: [] }])
  assert.equal(operation("get", "/words").security, [])
})

for (const [name, [middleware, security]] of Object.entries(guards))
  parts(`the security of ${middleware} is described`, () => {
    const alternatives = operation("get", `/guards/${name}`).security as readonly object[]
    const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(one)).sort()
    assert.equal(sorted(alternatives), sorted(security as readonly object[]))
  })

parts("a prefix other than Bearer is described as a key in the header, with its format", () => {
  const { securitySchemes } = made.document.components as { securitySchemes: Record<string, object> }
  assert.equal(securitySchemes.Authorization, {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "The word Token, a space and the token.",
  })
  assert.ok(
    operation("get", "/guards/every").responses[403],
    "the 403 of a middleware inside combine.every() is missing",
  )
})

parts("security schemes that a comment lists together are one requirement", () => {
  assert.equal(operation("get", "/guards/comment").security, [{ "X-Org": [], bearer: [] }, { basic: [] }])
  const { securitySchemes } = made.document.components as { securitySchemes: Record<string, object> }
  assert.match(JSON.stringify(securitySchemes["X-Org"]), "the organisation & its members")
})

parts("a document without guards has an empty security", async () => {
  const route = 'import type { Context } from "fw"\nexport function Get(c: Context) { return c.noContent() }\n'
  const root = makeProject({ "app/x/route.ts": route }, ["fw", "typescript"])
  const { document } = await makeProjectDocument(root, { appDir: "app" })
  assert.equal(document.security, [])
  assert.is(made.document.security, undefined)
})

parts("the server is / by default", () => assert.equal(made.document.servers, [{ url: "/" }]))

parts.run()
