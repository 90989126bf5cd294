/**
 * Tests of guards around one method of a file: the document describes their answers only for this method. All cases
 * are in one project, which is read once.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const shared = `import { forbidden, type HandlerFunc, type MiddlewareFunc, unauthorized } from "fw"

export const member: MiddlewareFunc = (next) => async (c) =>
  c.header("Authorization") === "" ? c.json(401, { error: "members only" }) : next(c)

export const owner: MiddlewareFunc = (next) => async (c) => {
  if (c.header("Authorization") === "") throw unauthorized("sign in")
  if (c.header("X-Role") !== "owner") return forbidden("owners only")
  return next(c)
}

export function role(name: string): MiddlewareFunc {
  return (next) => async (c) => {
    if (c.header("X-Role") !== name) throw forbidden(\`\${name}s only\`)
    return next(c)
  }
}

export function plan(...names: string[]) {
  const allowed = new Set(names)
  const check: MiddlewareFunc = (next) => (c) => (allowed.has(c.header("X-Plan")) ? next(c) : forbidden("not in your plan"))
  return check
}

export const both: MiddlewareFunc = (next) => member(owner(next))

export function signedIn(handler: HandlerFunc): HandlerFunc {
  return async (c) => {
    if (c.cookie("session") === "") throw unauthorized("sign in")
    return handler(c)
  }
}

export function logged(write: (text: string) => Response, handler: HandlerFunc): HandlerFunc {
  return (c) => (write("called"), handler(c))
}
export const write = (text: string) => { console.log(text); return Response.json({ text }, { status: 418 }) }
`

/** The source of the export `Put`, and the statuses that its guard adds. */
const guards: ReadonlyArray<readonly [source: string, statuses: readonly string[]]> = [
  ["member(save)", ["401"]],
  ["owner(save)", ["401", "403"]],
  ['role("admin")(save)', ["403"]],
  ['member(role("admin")(save))', ["401", "403"]],
  ['plan("team")(save)', ["403"]],
  ["both(save)", ["401", "403"]],
  ["combine.every(member, owner)(save)", ["401", "403"]],
  ['bearerAuth({ tokens: ["a"] })(save)', ["401"]],
  ['basicAuth({ users: { ada: "secret" } })(save)', ["401"]],
  ["local(save)", ["401"]],
  ["local(handlers.save)", ["401"]],
  ["signedIn(save)", ["401"]],
  ["logged(write, save)", []],
  ["member((c: Context) => c.json(200, { saved: true }))", ["401"]],
]

const document = suite("guards in the document")
let made: ProjectDocument

document.before(async () => {
  const route = (
    source: string,
  ) => `import { basicAuth, bearerAuth, combine, type Context, type MiddlewareFunc, unauthorized } from "fw"
import { both, logged, member, owner, plan, role, signedIn, write } from "../../lib/guards.ts"
const local: MiddlewareFunc = (next) => async (c) => {
  if (c.cookie("session") === "") throw unauthorized("sign in")
  return next(c)
}
const save = (c: Context) => c.json(200, { saved: true })
const handlers = { save: (c: Context) => c.json(200, { saved: true }) }
export function Get(c: Context) { return c.json(200, { read: true }) }
export const Put = ${source}
`
  const files = guards.map(([source], i) => [`app/g${i}/route.ts`, route(source)])
  const main = `import { App } from "fw"
import { member, role } from "./lib/guards.ts"
const app = new App()
app.get("/by-hand", (c) => c.json(200, { read: true }))
app.put("/by-hand", member, role("admin"), (c) => c.json(200, { saved: true }))
export default app
`
  const root = makeProject({ "lib/guards.ts": shared, "main.ts": main, ...Object.fromEntries(files) }, [
    "fw",
    "typescript",
  ])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

type Item = Record<string, { responses: Record<string, unknown> }>

function statuses(path: string, method: string): string[] {
  const item = (made.document.paths as Record<string, Item>)[path]
  return Object.keys(item?.[method]?.responses ?? {}).filter((status) => status !== "default")
}

for (const [i, [source, added]] of guards.entries()) {
  document(`export const Put = ${source} adds ${added.join(" and ") || "no status"} only to PUT`, () => {
    assert.equal(statuses(`/g${i}`, "put"), ["200", ...added])
    assert.equal(statuses(`/g${i}`, "get"), ["200"])
  })
}

document("guards in a call of app.put() add their statuses only to PUT", () => {
  assert.equal(statuses("/by-hand", "put"), ["200", "401", "403"])
  assert.equal(statuses("/by-hand", "get"), ["200"])
})

document("no guard causes a warning", () => assert.equal(made.warnings, []))

document.run()
