/**
 * Tests of statuses that functions of the project take as an argument: each call decides what the document says.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const helpers = `import { HttpError, type Context } from "fw"
export class AppError extends HttpError { constructor(readonly key: string, status: number) { super(status, key) } }
export function fail(status: number, message = "x") { return new HttpError(status, message) }
export const failing = (message: string, status = 409) => new AppError(message, status)
export function stop(status: number): never { throw new HttpError(status, "stop") }
export const missing = (what: string) => fail(404, what)
export const passed = (given: number) => fail(given)
export const named = ({ status }: { status: number; message?: string }) => new HttpError(status, "x")
export const whole = (options: { status: number }) => new HttpError(options.status, "x")
export const several = (status: number) => Promise.reject(new HttpError(status, "x"))
export function answer(c: Context, status: number, data: string) { return c.json(status, { data }) }
export function answering(c: Context, data: string, status = 202) { return answer(c, status, data) }
export function ok<T>(c: Context, status: number, data: T) { return c.json(status, data) }
export function plain(status: number) { return Response.json({ a: 1 }, { status }) }
export const find = (id: string) => id || stop(410)
`

/** Handlers, and the statuses of their responses. */
const rows: ReadonlyArray<readonly [handler: string, statuses: string]> = [
  ["(c: Context) => { throw fail(404) }", "404"],
  ["(c: Context) => fail(403, 'no')", "403"],
  ["(c: Context) => { const error = fail(405); throw error }", "405"],
  ["(c: Context) => { throw fail(c.isJSON ? 401 : 403) }", "401 403"],
  ["(c: Context) => { throw failing('a', 423) }", "423"],
  ["(c: Context) => { throw failing('a') }", "409"],
  ["(c: Context) => { throw new AppError('a', 424) }", "424"],
  ["(c: Context) => { if (c.isJSON) stop(411); return c.json(200, 1) }", "200 411"],
  ["(c: Context) => { throw missing('a') }", "404"],
  ["(c: Context) => { throw passed(412) }", "412"],
  ["(c: Context) => { throw named({ status: 413 }) }", "413"],
  ["(c: Context) => { throw whole({ status: 414 }) }", "414"],
  ["(c: Context) => several(416)", "416"],
  ["(c: Context) => { find('x'); return c.noContent() }", "204 410"],
  ["(c: Context) => { try { stop(428) } catch {} return c.noContent() }", "204"],
  ["(c: Context) => { const no = (status: number) => new HttpError(status, 'x'); throw no(431) }", "431"],
  ["(c: Context) => answer(c, 201, 'x')", "201"],
  ["(c: Context) => c.isJSON ? answer(c, 201, 'x') : answer(c, 404, 'x')", "201 404"],
  ["(c: Context) => answering(c, 'x')", "202"],
  ["(c: Context) => answering(c, 'x', 203)", "203"],
  ["(c: Context) => ok(c, 207, 1)", "207"],
  ["(c: Context) => plain(206)", "206"],
]

/** Handlers with a status that no call shows, and the text at the place of their warning. */
const unknown: ReadonlyArray<readonly [handler: string, line: number]> = [
  ["(c: Context) => {\n  throw fail(c.queryInt('s', 400))\n}", 5],
  ["(c: Context) => {\n  if (c.isJSON)\n    stop(c.queryInt('s', 400))\n  return c.noContent()\n}", 6],
  ["(c: Context) => {\n  return answer(c, c.queryInt('s', 200), 'x')\n}", 5],
]

const statusesOfCalls = suite("statuses of calls")
let made: ProjectDocument

statusesOfCalls.before(async () => {
  const names =
    "answer, answering, AppError, fail, failing, find, missing, named, ok, passed, plain, several, stop, whole"
  const head = `import { type Context, HttpError } from "fw"\nimport { ${names} } from "../../helpers.ts"\nvoid [${names}, HttpError]\n`
  const files = [...rows, ...unknown].map(([handler], i) => {
    return [`app/s${i}/route.ts`, `${head}export const Get = ${handler}\n`]
  })
  const root = makeProject({ "helpers.ts": helpers, ...Object.fromEntries(files) }, ["fw", "typescript"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

function findResponses(path: string): Record<string, { content?: Record<string, { schema: unknown }> }> {
  const item = (made.document.paths as Record<string, { get: { responses: never } }>)[path]
  assert.ok(item, `the document has no path ${path}`)
  return item.get.responses
}

for (const [i, [handler, statuses]] of rows.entries())
  statusesOfCalls(`${handler} has the statuses ${statuses}`, () => {
    const own = Object.keys(findResponses(`/s${i}`)).filter((status) => status !== "default")
    assert.is(own.join(" "), statuses)
  })

statusesOfCalls("the data of an answer is that of the function that creates it", () => {
  const index = rows.findIndex(([handler]) => handler.startsWith("(c: Context) => answer("))
  assert.equal(findResponses(`/s${index}`)["201"]?.content?.["application/json"]?.schema, {
    type: "object",
    properties: { data: { type: "string" } },
    required: ["data"],
  })
})

statusesOfCalls("a status that no call shows causes one warning, at the call", () => {
  const warnings = made.warnings
    .filter(({ message }) => /status/.test(message))
    .map(({ message, at }) => `${at?.file}:${at?.line} ${message}`)
  assert.equal(
    warnings.sort(),
    unknown.map(
      ([, line], i) =>
        `app/s${rows.length + i}/route.ts:${line} the status of this answer is known only when it is sent`,
    ),
  )
})

statusesOfCalls.run()
