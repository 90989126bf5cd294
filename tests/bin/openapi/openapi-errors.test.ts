/**
 * Tests of the errors in a document: those of error classes, rejected promises, guards, types of middleware, and
 * `onError`.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { keepTypeCaches } from "../../../bin/openapi/type-cache.ts"
import { makeProject, write } from "../../support/bin/dev/dev-project.ts"

const errors = `import { bearerAuth, HttpError, rateLimit, timeout, unauthorized, type Context, type MiddlewareFunc } from "fw"
export class Gone extends HttpError { constructor() { super(410, "gone") } }
export class Deeper extends Gone { readonly extra = 1 }
export class AppError extends HttpError { constructor(status: number, message = "x") { super(status, message) } }
export class Locked extends AppError { constructor(readonly key: string) { super(423) } }
export class Usual extends HttpError { constructor(status = 409) { super(status, "x") } }
export class Few extends HttpError { constructor(status: 404 | 410) { super(status, "x") } }
export class Plain extends AppError {}
export class Own<S extends number> extends HttpError<S> { readonly own = 1 }
export class Teapot<T> extends Own<418> { constructor(readonly data: T) { super(418, "x") } }
export function gone() { return new Gone() }
export function fail(status: 402 | 403) { return new AppError(status) }
export const member: MiddlewareFunc = (next) => async (c) => {
  if (c.header("x-user") === "") throw unauthorized("who are you?")
  return next(c)
}
export const token = bearerAuth({ tokens: ["x"] })
export const few = rateLimit()
export const slow = timeout(5, { status: 504 })
export function marked(): MiddlewareFunc & { readonly answers: 418 | 451 } { throw new Error() }
`

/** Handlers, and the statuses of their responses. */
const rows: ReadonlyArray<readonly [handler: string, statuses: string]> = [
  ["(c: Context) => { throw new Gone() }", "410"],
  ["(c: Context) => new Deeper()", "410"],
  ["(c: Context) => { throw new Locked('a') }", "423"],
  ["(c: Context) => { throw new AppError(409) }", "409"],
  ["(c: Context) => { const error = new AppError(411); throw error }", "411"],
  ["(c: Context) => { throw new Plain(412) }", "412"],
  ["(c: Context) => { throw new Usual() }", "409"],
  ["(c: Context) => { throw new Usual(428) }", "428"],
  ["(c: Context) => { throw new Few(404) }", "404"],
  ["(c: Context) => { throw new Own(410, 'x') }", "410"],
  ["(c: Context) => { throw new Teapot({ a: 1 }) }", "418"],
  ["(c: Context) => { throw gone() }", "410"],
  ["(c: Context) => { throw fail(403) }", "402 403"],
  ["(c: Context) => Promise.reject(new HttpError(423, 'no'))", "423"],
  ["async (c: Context) => { await Promise.reject(new Gone()); return c.noContent() }", "204 410"],
  ["async (c: Context) => { try { await Promise.reject(new Gone()) } catch {} return c.noContent() }", "204"],
  ["(c: Context) => new Promise<Response>((_, reject) => reject(new Gone()))", "410"],
  ["member(async (c: Context) => c.json(200, 1))", "200 401"],
  ["token(async (c: Context) => c.json(200, 1))", "200 401"],
  ["few(slow(async (c: Context) => c.json(200, 1)))", "200 429 504"],
  ["marked()(async (c: Context) => c.json(200, 1))", "200 418 451"],
]

async function createDocument(files: Readonly<Record<string, string>>): Promise<ProjectDocument> {
  const root = makeProject(files, ["fw", "typescript"])
  return makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
}

type Item = Record<string, { responses: Record<string, unknown>; security?: unknown }>

function findOperation({ document }: ProjectDocument, path: string, method = "get") {
  const operation = (document.paths as Record<string, Item>)[path]?.[method]
  assert.ok(operation, `the document has no operation ${method} ${path}`)
  return operation as Item[string]
}

function listStatuses(made: ProjectDocument, path: string, method?: string): string {
  return Object.keys(findOperation(made, path, method).responses)
    .filter((status) => status !== "default")
    .join(" ")
}

const suiteOfErrors = suite("errors")
let made: ProjectDocument

suiteOfErrors.before(async () => {
  const head =
    'import { type Context, HttpError } from "fw"\nimport { AppError, Deeper, fail, few, Few, Gone, gone, Locked, marked, member, Own, Plain, slow, Teapot, token, Usual } from "../../errors.ts"\nvoid [AppError, Deeper, fail, few, Few, Gone, gone, HttpError, Locked, marked, member, Own, Plain, slow, Teapot, token, Usual]\n'
  const files = rows.map(([handler], i) => [`app/e${i}/route.ts`, `${head}export const Get = ${handler}\n`])
  made = await createDocument({ "errors.ts": errors, ...Object.fromEntries(files) })
})

for (const [i, [handler, statuses]] of rows.entries())
  suiteOfErrors(`${handler} has the statuses ${statuses}`, () => assert.is(listStatuses(made, `/e${i}`), statuses))

suiteOfErrors("no status causes a warning, and the security of an operation is that of its guard", () => {
  assert.equal(
    made.warnings.filter(({ message }) => /status/.test(message)),
    [],
  )
  const index = rows.findIndex(([handler]) => handler.startsWith("token("))
  assert.equal(findOperation(made, `/e${index}`).security, [{ bearer: [] }])
})

suiteOfErrors("an answer without a type is unknown, also next to an error", async () => {
  const made = await createDocument({
    "lib/find.ts":
      'import { notFound } from "fw"\nexport function find(id: string) {\n  if (id === "") throw notFound("x")\n  return id\n}\n',
    "app/any/route.ts":
      'import { notFound } from "fw"\nimport { find } from "../../lib/find.ts"\nexport function Get(c: any) {\n  if (!find(c.path)) throw notFound("y")\n  return c.json(200, 1)\n}\n',
    "app/throws/route.ts": 'import { notFound } from "fw"\nexport const Get = () => {\n  throw notFound("z")\n}\n',
  })
  assert.equal(
    made.warnings.map(({ message, at }) => `${at?.file}: ${message}`),
    ["app/any/route.ts: what Get answers is not known from its types"],
  )
})

suiteOfErrors("the type of a middleware says with which errors the middleware answers", async () => {
  const made = await createDocument({
    "main.ts":
      'import { App, rateLimit, requestID } from "fw"\nconst app = new App()\napp.use(requestID(), rateLimit())\nexport default app\n',
    "app/slow/middleware.ts":
      'import { bodyLimit, timeout } from "fw"\nexport function Middleware() { return [timeout(5), bodyLimit(10)] }\n',
    "app/slow/route.ts":
      'import type { Context } from "fw"\nexport function Get(c: Context) { return c.json(200, 1) }\nexport async function Post(c: Context) { return c.json(200, await c.text()) }\n',
  })
  assert.is(listStatuses(made, "/slow"), "200 429 503")
  assert.is(listStatuses(made, "/slow", "post"), "200 413 429 503")
})

/**
 * The code of `onError`, the statuses that it sends for the errors 400, 404 and 409, and other functions of the
 * file.
 */
const handlers: ReadonlyArray<readonly [handler: string, statuses: string, functions?: string]> = [
  ["(c, error) => c.json(422, { errors: String(error) })", "200 422"],
  ["(c, error) => c.json(error instanceof HttpError ? error.status : 500, {})", "200 400 404 409"],
  [
    "(c, error) => { const status = error instanceof HttpError ? error.status : 500; return c.json(status === 400 ? 422 : status, {}) }",
    "200 404 409 422",
  ],
  [
    "(c, error) => { if (error instanceof HttpError && error.status === 400) return c.json(422, {}); if (!(error instanceof HttpError)) return c.json(500, {}); return c.json(error.status, {}) }",
    "200 404 409 422",
  ],
  [
    "(c, error) => { if (error instanceof HttpError && error.issues) { return c.json(422, {}) } return c.json((error as HttpError).status, {}) }",
    "200 400 404 409 422",
  ],
  [
    '(c, error) => { const known = "status" in error; return c.json(known ? (error as HttpError).status : 500, {}) }',
    "200 400 404 409",
  ],
  [
    '(c, error) => c.json(typeof (error as HttpError).status === "number" ? (error as HttpError).status : 500, {})',
    "200 400 404 409 500",
  ],
  [
    '(c, error) => { const { status } = error as HttpError; if ((error as { code?: string }).code === "P2002") return c.json(410, {}); return c.json(status, {}) }',
    "200 400 404 409",
  ],
  [
    '(c, error) => { if ((error as HttpError).code === "not_found") return c.json(410, {}); return c.json((error as HttpError).status, {}) }',
    "200 400 404 409 410",
  ],
  [
    '(c, error) => { if ((error as HttpError).code === "email_taken") return c.json(410, {}); return c.json((error as HttpError).status, {}) }',
    "200 400 404 409 410",
  ],
  [
    "(c, error) => { if (error instanceof TypeError) return c.json(501, {}); if (error instanceof HttpError && [404, 409].includes(error.status)) return c.json(410, {}); return c.json((error as HttpError).status, {}) }",
    "200 400 404 409 410",
  ],
  ["(c, error) => { const { status } = error as HttpError; return c.json(status, {}) }", "200 400 404 409"],
  [
    "function (c, error) { return error instanceof HttpError && error.status >= 404 ? c.json(404, {}) : c.json(422, {}) }",
    "200 404 422",
  ],
  [
    "(c, error) => { switch ((error as HttpError).status) { case 400: return c.json(422, {}); case 404: case 410: return c.json(410, {}); default: return c.json((error as HttpError).status, {}) } }",
    "200 409 410 422",
  ],
  [
    "(c, error) => { const { status } = error as HttpError; switch (status) { case 400: return c.json(422, {}) } return c.json(status, {}) }",
    "200 404 409 422",
  ],
  [
    "(c, error) => { switch (true) { case error instanceof TypeError: return c.json(501, {}); case error instanceof HttpError && error.status >= 404: return c.json(404, {}); case c.isHTMX: return c.json(418, {}) } return c.json(422, {}) }",
    "200 404 418 422 501",
  ],
  [
    "(c, error) => { let sent = 500; if (error instanceof HttpError) sent = error.status; return c.json(sent, {}) }",
    "200 400 404 409",
  ],
  [
    "(c, error) => { try { if (c.isHTMX) return c.json(418, {}) } catch { return c.json(500, {}) } finally { console.log(error) } return c.json(422, {}) }",
    "200 418 422 500",
  ],
  [
    "(c, error) => { for (const code of [418, 423]) { if (code === 418) continue; return c.json(423, {}) } return c.json(422, {}) }",
    "200 422 423",
  ],
  [
    "(c, error) => { if (isMissing(error)) return c.json(410, {}); if (isDatabase(error)) return c.json(501, {}); return c.json(isHttp(error) ? error.status : 500, {}) }",
    "200 400 409 410",
    `const isHttp = (error: unknown): error is HttpError => error instanceof HttpError
function isMissing(error: unknown): error is HttpError { if (!isHttp(error)) return false; return error.status === 404 }
class DatabaseError extends Error {}
function isDatabase(error: unknown): error is DatabaseError { return error instanceof DatabaseError }`,
  ],
  [
    "(c, error) => isClient(error) ? c.json(400, {}) : c.json(chooseStatus(error), {})",
    "200 400 409",
    `const isClient = (error: unknown) => (error as HttpError).status < 409
function chooseStatus(error: unknown) { switch ((error as HttpError).status) { case 404: return 410; case 400: return 422 } return 409 }`,
  ],
  [
    "(c, error) => { if (isUnknown(error)) return c.json(410, {}); return send(c, error) }",
    "200 400 410 422",
    `declare function isUnknown(error: unknown): boolean
function send(c: Context, error: unknown) { return (error as HttpError).status === 400 ? c.json(400, {}) : c.json(422, {}) }`,
  ],
  [
    "(c, error) => again(error) ? c.json(410, {}) : c.json(422, {})",
    "200 410 422",
    "function again(error: unknown): boolean { return next(error) || again(error) }\nfunction next(error: unknown): boolean { return again(error) && next(error) && again(error) }",
  ],
]

/** One project is used for all error handlers, because a new one would read the types of the language again. */
const handled = suite("openapi error handlers")
let handledRoot = ""
let close: () => Promise<void> = async () => {}

handled.before(() => {
  const route =
    'import { type Context, HttpError, notFound } from "fw"\nexport async function Post(c: Context) { const { id } = await c.bind<{ id: number }>(); if (id === 1) throw notFound("x"); if (id === 2) throw new HttpError(409, "x"); return c.json(200, id) }\n'
  handledRoot = makeProject({ "app/x/route.ts": route, "main.ts": "export default 1\n" }, ["fw", "typescript"])
  close = keepTypeCaches()
})

handled.after(() => close())

for (const [handler, statuses, functions = ""] of handlers) {
  handled(`app.onError() with ${handler} gives the statuses ${statuses}`, async () => {
    write(handledRoot, {
      "main.ts": `import { App, type Context, HttpError } from "fw"\n${functions}\nexport type Used = Context\nconst app = new App()\nvoid HttpError\napp.onError(${handler})\nexport default app\n`,
    })
    const made = await makeProjectDocument(handledRoot, { appDir: "app", version: "1.0.0" })
    assert.is(listStatuses(made, "/x", "post"), statuses)
  })
}

handled.run()

suiteOfErrors("an error handler that cannot be read does not remove the 400 of a query", async () => {
  const made = await createDocument({
    "main.ts":
      'import { App, type Context, type HandlerResult } from "fw"\ndeclare function answer(c: Context, error: unknown): HandlerResult\nconst app = new App()\napp.onError(answer)\nexport default app\n',
    "app/query/route.ts":
      'import type { Context } from "fw"\nexport async function Get(c: Context) { await c.bindQuery<{ id: number }>(); return c.json(200, 1) }\n',
  })
  assert.is(listStatuses(made, "/query", "get"), "200 400")
})

suiteOfErrors("an answer for one type of error is not in operations with another type", async () => {
  const route = (thrown: string) =>
    `import { badRequest, type Context, notFound } from "fw"\nvoid [badRequest, notFound]\nexport async function Post(c: Context) { ${thrown}; return c.json(200, 1) }\n`
  const made = await createDocument({
    "main.ts":
      'import { App, HttpError } from "fw"\nconst app = new App()\napp.onError((c, error) => { if (error instanceof HttpError && error.issues) return c.json(422, {}); if ((error as HttpError).code === "not_found") return c.json(410, {}); return c.json((error as HttpError).status ?? 500, {}) })\nexport default app\n',
    "app/body/route.ts": route("await c.bind<{ id: number }>()"),
    "app/query/route.ts": route("await c.bindQuery<{ id: number }>()"),
    "app/thrown/route.ts": route('await c.bindQuery<{ id: number }>(); if (c.isHTMX) throw badRequest("x")'),
    "app/both/route.ts": route("await c.bindQuery<{ id: number }>(); await c.bindForm<{ id: number }>()"),
    "app/gone/route.ts": route('if (c.isHTMX) throw notFound("x")'),
    "app/full/route.ts": route('if (c.isHTMX) throw new (await import("fw")).HttpError(409, "x")'),
  })
  assert.is(listStatuses(made, "/body", "post"), "200 400 422")
  // A broken body is a 400 without issues. A query cannot be broken in this way.
  assert.is(listStatuses(made, "/query", "post"), "200 422")
  assert.is(listStatuses(made, "/thrown", "post"), "200 400 422")
  assert.is(listStatuses(made, "/both", "post"), "200 400 422")
  assert.is(listStatuses(made, "/gone", "post"), "200 404 410")
  assert.is(listStatuses(made, "/full", "post"), "200 409")
})

suiteOfErrors.run()
