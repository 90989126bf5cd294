/**
 * Tests of the document of a project with all forms of routes, comments, middleware and calls. The project is read
 * once.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { shop as files } from "../../support/bin/openapi/openapi-shop.ts"

const doc = suite("document")
let made: ProjectDocument

type Operation = Record<string, unknown> & {
  parameters: { name: string; in: string }[]
  responses: Record<string, { content: Record<string, { schema: unknown }>; $ref?: string }>
  requestBody: { content: Record<string, { schema: unknown }> }
}

doc.before(async () => {
  const root = makeProject(files, ["fw", "typescript"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

function paths() {
  return made.document.paths as Record<string, Record<string, Operation>>
}

function operation(method: string, path: string): Operation {
  const found = paths()[path]?.[method]
  assert.ok(
    found,
    `the document has no operation ${method} ${path}, but these paths: ${Object.keys(paths()).join(" ")}`,
  )
  return found as Operation
}

const ref = (name: string) => ({ $ref: `#/components/${name}` })
const text = { type: "string" }
const integer = { type: "integer" }
const rest = { description: "The rest of the path, with its slashes.", "x-catch-all": true }
const path = (name: string, schema: object = text, more = {}) => ({
  name,
  in: "path",
  ...more,
  required: true,
  schema,
})

doc("every route is in the document once, with catch-alls as parameters", () => {
  const all = Object.entries(paths()).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
  const wanted = Object.entries({
    "/api/again": "get",
    "/api/broken": "get",
    "/api/docs/{id}": "get",
    "/api/docs/{id}/{slug}": "get",
    "/api/errors": "get post put patch delete head options",
    "/api/forms": "post put patch delete",
    "/api/helpers": "get post put patch",
    "/api/keys": "get",
    "/api/orders/{number}": "post get",
    "/api/plain": "get",
    "/api/search": "get",
    "/api/shop": "get",
    "/api/shop/{cat}": "get",
    "/api/staff": "get post put",
    "/api/users/{id}": "get put",
    "/api/users/{name}/posts": "get",
    "/api/wrapped": "get put post delete",
    "/hello/{name}": "get",
    "/members/{name}": "get put",
    "/v1/files/{path}": "get",
  }).flatMap(([path, methods]) => methods.split(" ").map((method) => `${method} ${path}`))
  assert.equal([...all].sort(), wanted.sort())
  assert.equal(Object.keys(paths()), Object.keys(paths()).sort())
  assert.is(made.operations, all.length)
})

const parameters: ReadonlyArray<readonly [method: string, path: string, parameters: unknown]> = [
  ["get", "/api/users/{id}", [path("id", text, { description: "The number of a user." })]],
  ["get", "/api/orders/{number}", [path("number", integer)]],
  ["post", "/api/orders/{number}", [path("number", integer)]],
  ["get", "/api/docs/{id}/{slug}", [path("id"), path("slug", text, rest)]],
  ["get", "/api/shop", undefined],
  ["get", "/api/shop/{cat}", [path("cat", text, rest)]],
  ["get", "/v1/files/{path}", [path("path", text, rest)]],
  [
    "get",
    "/api/search",
    [
      { name: "order", in: "query", schema: text },
      { name: "sort", in: "query", schema: text },
      { name: "q", in: "query", description: "What to look for.", schema: text },
      { name: "lang", in: "query", schema: { type: "string", default: "en" } },
      { name: "exact", in: "query", schema: { type: "boolean", default: false } },
      { name: "tag", in: "query", schema: { type: "array", items: text } },
      { name: "page", in: "query", schema: { type: "integer", default: 1 } },
      { name: "size", in: "query", schema: { type: "integer", default: -1 } },
      { name: "X-Which", in: "header", schema: text },
      { name: "X-Tenant", in: "header", schema: text },
      { name: "theme", in: "cookie", schema: text },
    ],
  ],
  ["get", "/api/wrapped", [{ name: "id", in: "query", schema: text }]],
  ["put", "/api/wrapped", [{ name: "twice", in: "query", schema: text }]],
  ["post", "/api/helpers", [{ name: "x-role", in: "header", schema: text }]],
]

for (const [method, path, wanted] of parameters) {
  doc(`the parameters of ${method} ${path} are described`, () =>
    assert.equal(operation(method, path).parameters, wanted),
  )
}

const binary = { type: "string", contentMediaType: "application/octet-stream" }
const object = (properties: Record<string, unknown>, required?: string[]) => ({
  type: "object",
  properties,
  ...(required && { required }),
})

const bodies: ReadonlyArray<readonly [method: string, path: string, content: Record<string, unknown>]> = [
  ["put", "/api/users/{id}", { "application/json": object({ name: text }, ["name"]) }],
  ["put", "/api/helpers", { "application/json": object({ name: text }) }],
  ["post", "/api/helpers", { "application/json": object({ title: text }, ["title"]) }],
  [
    "post",
    "/api/forms",
    {
      "application/x-www-form-urlencoded": object({ email: text, more: text }),
      "multipart/form-data": object({ email: text, more: text }),
    },
  ],
  ["put", "/api/forms", { "multipart/form-data": object({ photo: binary, name: text }) }],
  ["patch", "/api/forms", { "text/plain": text }],
  ["delete", "/api/forms", { "application/octet-stream": binary }],
]

for (const [method, path, wanted] of bodies) {
  doc(`the body of ${method} ${path} is described`, () => {
    const { content } = operation(method, path).requestBody
    const schemas = Object.entries(content).map(([media, { schema }]) => [media, schema])
    assert.equal(Object.fromEntries(schemas), wanted)
  })
}

/** The schemas of each response's content, or the name of the shared response. */
const answers: ReadonlyArray<readonly [method: string, path: string, responses: Record<string, unknown>]> = [
  [
    "get",
    "/api/users/{id}",
    { 200: { "application/json": ref("schemas/User") }, 404: { "application/json": ref("schemas/Error") } },
  ],
  ["put", "/api/users/{id}", { 200: { "application/json": ref("schemas/User") }, 400: "BadRequest", 409: "Conflict" }],
  [
    "get",
    "/api/helpers",
    {
      200: { "application/json": object({ data: ref("schemas/User") }, ["data"]) },
      400: { "application/json": object({ wrong: { type: "boolean" } }, ["wrong"]) },
      422: { "application/json": object({ wrong: { type: "boolean" } }, ["wrong"]) },
    },
  ],
  [
    "post",
    "/api/helpers",
    { 201: { "application/json": object({ title: text }, ["title"]) }, 400: "BadRequest", 403: "Forbidden" },
  ],
  ["patch", "/api/helpers", { 303: {}, 400: "BadRequest" }],
  ["get", "/api/wrapped", { 200: { "application/json": object({ result: ref("schemas/User") }, ["result"]) } }],
  ["put", "/api/wrapped", { 200: { "application/json": { type: "array", items: text } } }],
  [
    "post",
    "/api/wrapped",
    { 201: { "application/json": object({ added: ref("schemas/User") }, ["added"]) }, 400: "BadRequest" },
  ],
  ["delete", "/api/wrapped", { 204: {} }],
  ["get", "/api/errors", { 200: { "application/json": { type: "object" } }, 402: "PaymentRequired" }],
  ["post", "/api/errors", { 401: "Unauthorized", 404: "NotFound" }],
  [
    "put",
    "/api/errors",
    {
      202: { "application/json": object({ a: { type: "number" } }, ["a"]) },
      203: { "text/csv": text },
      204: {},
    },
  ],
  ["patch", "/api/errors", {}],
  ["delete", "/api/errors", {}],
  ["head", "/api/errors", { 200: {} }],
  ["options", "/api/errors", { 204: {} }],
  [
    "get",
    "/api/broken",
    { 200: { "application/json": object({ a: {}, b: {}, c: { type: "number" } }, ["a", "b", "c"]) } },
  ],
  [
    "get",
    "/members/{name}",
    {
      200: { "application/json": object({ hello: text }, ["hello"]) },
      401: { "application/json": object({ error: text }, ["error"]) },
    },
  ],
  [
    "put",
    "/members/{name}",
    {
      201: { "application/json": { type: "object" } },
      401: { "application/json": object({ error: text }, ["error"]) },
    },
  ],
  ["get", "/hello/{name}", { 200: { "application/json": object({ hello: text }, ["hello"]) } }],
  [
    "get",
    "/api/plain",
    {
      200: { "application/json": object({ n: { type: "number" } }, ["n"]) },
      404: { "application/json": object({ error: text }, ["error"]) },
    },
  ],
  [
    "get",
    "/api/keys",
    {
      200: { "application/json": { type: "object" } },
      401: { "application/json": object({ error: text }, ["error"]) },
    },
  ],
  ["get", "/api/staff", { 200: { "application/json": object({ all: text }, ["all"]) }, 401: "Unauthorized" }],
  ["post", "/api/staff", { 200: { "application/json": { type: "object" } } }],
]

for (const [method, path, wanted] of answers) {
  doc(`the answers of ${method} ${path} are described`, () => {
    const { default: other, 503: proxied, ...own } = operation(method, path).responses
    const shown = Object.entries(own).map(([status, { content = {}, $ref }]) => {
      const schemas = Object.entries(content).map(([media, { schema }]) => [media, schema])
      return [status, $ref?.split("/").at(-1) ?? Object.fromEntries(schemas)]
    })
    assert.equal(Object.fromEntries(shown), wanted)
    assert.ok(other, "the default answer, which describes any other error, is missing")
    assert.is(
      proxied !== undefined,
      path.startsWith("/api/") && path !== "/api/plain",
      "the 503 of the proxy is missing, or it is in an operation that the proxy does not cover",
    )
  })
}

doc("an unknown status or answer causes a warning, and is described as the default answer", () => {
  const { default: dynamic } = operation("patch", "/api/errors").responses
  assert.equal(dynamic?.content["application/json"]?.schema, {
    anyOf: [object({ any: { type: "boolean" } }, ["any"]), ref("schemas/Error")],
  })
  assert.ok(operation("delete", "/api/errors").responses.default?.content["*/*"])
  const warnings = made.warnings.map(({ message, at }) => `${at?.file}:${at?.line}: ${message}`)
  assert.equal(warnings, [
    'app/api/(staff)/staff/route.ts:6: "@security nonsense" is not a known kind of security',
    "app/api/errors/route.ts:7: the status of this answer is known only when it is sent",
    "app/api/errors/route.ts:19: the status of this answer is known only when it is sent",
    "app/api/errors/route.ts:20: what Delete answers is not known from its types",
    "app/api/search/route.ts:9: the name of this query value is known only when it is read",
  ])
})

doc("summaries, descriptions, tags and names come from comments", () => {
  const get = operation("get", "/api/users/{id}")
  assert.is(get.summary, "One user.")
  assert.is(get.description, "With all that is known.")
  assert.equal(get.tags, ["people", "read"])
  assert.is(get.operationId, "getApiUsersById")
  const well = get.responses[200] as unknown as {
    description: string
    content: Record<string, { example: unknown }>
  }
  assert.is(well.description, "The user.")
  assert.equal(well.content["application/json"]?.example, { id: "1", name: "Ada" })
  const none = get.responses[404] as unknown as typeof well
  assert.is(none.description, "There is no such user.")
  assert.equal(none.content["application/json"]?.example, { error: "not_found", message: "no such user" })
  const put = operation("put", "/api/users/{id}")
  assert.is(put.deprecated, true)
  assert.is(put.summary, undefined)
  assert.equal(put.tags, ["users"])
  assert.is(operation("get", "/hello/{name}").summary, "Says hello.")
  assert.is(operation("get", "/v1/files/{path}").summary, "Lists.")
  assert.is(operation("get", "/api/again").summary, "In JavaScript.")
  assert.equal(made.document.info, { title: "shop", version: "1.0.0" })
})

doc("the security of guards is read from the types of middleware", () => {
  const { securitySchemes } = made.document.components as { securitySchemes: unknown }
  assert.equal(securitySchemes, {
    "X-API-Key": { type: "apiKey", in: "header", name: "X-API-Key" },
    bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    session_id: { type: "apiKey", in: "cookie", name: "session_id" },
  })
  assert.equal(operation("get", "/api/staff").security, [{ bearer: [] }, { session_id: [] }])
  assert.equal(operation("get", "/api/keys").security, [
    { "X-API-Key": [], bearer: [] },
    { "X-API-Key": [], session_id: [] },
  ])
  assert.equal(operation("post", "/api/staff").security, [])
  assert.equal(operation("get", "/api/plain").security, [])
})

doc.run()
