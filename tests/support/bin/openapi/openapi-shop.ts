/** A project with every form of route, comment, middleware and call that a document describes. */

const context = 'import type { Context } from "fw"\n'

/** The files of the project. */
export const shop: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "type": "module" }',
  "main.ts": `import { App, type MiddlewareFunc, requestID } from "fw"
import { listed } from "./lib/by-hand.ts"
const app = new App()
app.use(requestID())
/** Says hello. */
app.get("/hello/{name}", (c) => c.json(200, { hello: c.param("name") }))
const member: MiddlewareFunc = (next) => async (c) => c.header("x-member") ? next(c) : c.json(401, { error: "no" })
/** Says hello to members. */
app.get("/members/{name}", member, (c) => c.json(200, { hello: c.param("name") }))
app.registerRoute("PUT", "/members/{name}", requestID(), member, (c) => c.json(201, {}))
app.group("/v1", (v1) => {
  v1.group("/files", (files) => files.get("/*", listed))
})
export default app
`,
  "lib/by-hand.ts": `${context}/** Lists. */\nexport function listed(c: Context) { return c.string(200, c.param("*")) }\n`,
  "lib/store.ts": `import { HttpError, notFound } from "fw"
export interface User { id: string; name: string }
const users = new Map<string, User>()
export class Store {
  find(id: string): User {
    const user = users.get(id)
    if (!user) throw notFound("no such user")
    return user
  }
  add(user: User): User {
    this.#edit(() => { if (users.size > 9) throw new HttpError(409, "full") })
    return user
  }
  #edit(change: () => void) { change() }
}
export const store = new Store()
`,
  "lib/answers.ts": `import { type Context, forbidden, type HandlerFunc, type StandardSchema } from "fw"
export function ok<T>(c: Context, data: T) { return c.json(200, { data }) }
export function fail(c: Context, status: 400 | 422): Response { return c.json(status, { wrong: true }) }
export async function parsed<T>(c: Context, schema: StandardSchema<T>): Promise<T> { return c.bind(schema) }
export function admin(handler: HandlerFunc): HandlerFunc {
  return (c) => {
    if (c.header("x-role") !== "admin") throw forbidden("admins only")
    return handler(c)
  }
}
export function page(c: Context) { return { page: c.queryInt("page", 1), size: c.queryInt("size", -1) } }
`,
  "lib/schema.ts": `import type { StandardSchema } from "fw"
interface Typed<I, O> { "~standard": { version: 1; vendor: "x"; validate(v: unknown): { value: O }; types?: { input: I; output: O } } }
export declare const both: Typed<{ name?: string }, { name: string }>
export declare const plain: StandardSchema<{ title: string }>
`,
  "app/api/users/[id]/route.ts": `import { badRequest, type Context, type HandlerFunc } from "fw"
import { store } from "../../../../lib/store.ts"
/**
 * One user.
 *
 * With all that is known.
 *
 * @param id - The number of a user.
 * @returns The user.
 * @response 404 There is no such user.
 * @example {"id": "1", "name": "Ada"}
 * @example 404 {"error": "not_found", "message": "no such user"}
 * @tag people
 * @tag read
 */
export const Get: HandlerFunc<"id"> = (c) => c.json(200, store.find(c.param("id")))
/** @deprecated */
export async function Put(c: Context<"id">) {
  const user = await c.bind<{ name: string }>()
  if (user.name === "") return badRequest("a name")
  return c.json(200, store.add({ id: c.param("id"), ...user }))
}
/** @hidden */
export function Delete(c: Context) { return c.noContent() }
`,
  "app/api/users/[name]/posts/route.ts": `${context}export function Get(c: Context<"name">) { return c.json(200, [c.param("name")]) }\n`,
  "app/api/orders/[order]/route.ts": `${context}export function Get(c: Context<"order">) { return c.json(200, c.paramInt("order")) }\n`,
  "app/api/orders/[number]/route.ts": `${context}export function Post(c: Context<"number">) { return c.json(201, c.paramInt("number")) }\n`,
  "app/api/docs/[...slug]/route.ts": `${context}export function Get(c: Context<"slug">) { return c.string(200, c.param("slug")) }\n`,
  "app/api/docs/[id]/route.ts": `${context}export function Get(c: Context<"id">) { return c.string(200, c.param("id")) }\n`,
  "app/api/shop/[[...cat]]/route.ts": `${context}export function Get(c: Context<"cat">) { return c.json(200, { cat: c.param("cat") }) }\n`,
  "app/api/search/route.ts": `${context}import { page } from "../../../lib/answers.ts"
const names = ["sort", "order"] as const
/** @param q What to look for. */
export function Get(c: Context) {
  for (const name of names) c.query(name)
  const dynamic: string = c.header("X-Which")
  return c.json(200, [c.query("q"), c.queryDefault("lang", "en"), c.queryBool("exact", false), c.queryAll("tag"),
    c.header("X-Tenant"), c.header("authorization"), c.cookie("theme"), c.query(dynamic), page(c)])
}
`,
  "app/api/forms/route.ts": `${context}
export async function Post(c: Context) { return c.json(200, [await c.formValue("email"), (await c.form()).get("more")]) }
export async function Put(c: Context) { return c.json(200, { file: (await c.formFile("photo"))?.size, name: await c.formValue("name") }) }
export async function Patch(c: Context) { return c.string(200, await c.text()) }
export async function Delete(c: Context) { return c.blob(200, "image/png", await c.bytes()) }
`,
  "app/api/helpers/route.ts": `${context}import { admin, fail, ok, parsed } from "../../../lib/answers.ts"
import { both, plain } from "../../../lib/schema.ts"
import type { User } from "../../../lib/store.ts"
declare const user: User
export function Get(c: Context) { return c.isHTMX ? fail(c, 400) : ok(c, user) }
export const Post = admin(async (c) => c.json(201, await parsed(c, plain)))
export async function Put(c: Context) { return ok(c, await c.bind(both)) }
/** @operationId patch-api-helpers */
export async function Patch(c: Context) {
  try { throw new TypeError(String(await c.bind(plain))) } catch { return c.redirect(303, "/") }
}
`,
  "app/api/errors/route.ts": `import { type Context, HttpError, notFound, unauthorized } from "fw"
class Broke extends HttpError<402> { constructor() { super(402, "pay") } }
function refuse(): never { throw unauthorized("no") }
export function Get(c: Context): Response {
  try { refuse() } catch { /* passes */ }
  if (c.isJSON) throw new Broke()
  if (c.isHTMX) throw new HttpError(c.paramInt("x"), "any")
  return c.json(200, {})
}
export async function Post(c: Context) {
  try { refuse() } catch (error) { throw error }
  return notFound("gone")
}
export function Put(c: Context): Response {
  if (c.isJSON) return Response.json({ a: 1 }, { status: 202 })
  if (c.isHTMX) return new Response("a,b", { status: 203, headers: { "Content-Type": "text/csv; charset=utf-8" } })
  return new Response(null, { status: 204 })
}
export function Patch(c: Context) { return c.json(c.paramInt("status"), { any: true }) }
export function Delete(): Promise<Response> { return fetch("https://example.com") }
export function Head(c: Context) { return c.string(200, "x") }
function handle(c: Context) {
  if (c.method === "OPTIONS") return c.noContent()
  return c.string(200, "never")
}
export { handle as Options }
`,
  "app/api/wrapped/route.ts": `${context}import type { User } from "../../../lib/store.ts"
function wrapped<T>(work: (c: Context) => Promise<T>) {
  return async (c: Context) => c.json(200, { result: await work(c) })
}
function twice(c: Context, a: string): string
function twice(c: Context, a: number): string
function twice(c: Context, a: string | number): string { return c.query("twice") + a + (a === 1 ? twice(c, 2) : "") }
class Controller {
  #prefix = "x"
  list(c: Context) { return c.json(200, [this.#prefix, twice(c, "a")]) }
  readonly add = async (c: Context) => c.json(201, { added: await c.bind<User>() })
}
const controller = new Controller()
const handlers = { remove: (c: Context) => c.noContent() }
export const Get = wrapped(async (c) => ({ id: c.query("id") }) as User)
export const Put = controller.list.bind(controller)
export const Post = controller.add
export const Delete = handlers.remove
`,
  "app/api/broken/route.ts": `${context}import { nothing } from "./nowhere.ts"
const wrong: string = 1
export function Get(c: Context) { return c.json(200, { a: nothing(), b: wrong.nope, c: 1 as number }) }
`,
  "app/api/plain/route.js": `/**
 * In JavaScript.
 * @param {import("fw").Context} c
 */
export function Get(c) { return c.query("x") ? c.json(404, { error: "none" }) : c.json(200, { n: 1 }) }
`,
  "app/api/socket/route.ts": "export function Socket() {}\n",
  "app/api/again/route.ts": 'export { Get } from "../plain/route.js"\n',
  "app/api/(staff)/middleware.ts": `import type { MiddlewareFunc } from "fw"
/**
 * Staff only.
 * @security bearer JWT
 * @security cookie session_id
 */
export function Middleware(): MiddlewareFunc { return (next) => (c) => next(c) }
`,
  "app/api/(staff)/staff/route.ts": `${context}export function Get(c: Context) { return c.json(200, { all: "well" }) }
/** @security none */
export function Post(c: Context) { return c.json(200, {}) }
/** @security nonsense */
export function Put(c: Context) { return c.json(200, {}) }
`,
  "app/api/(staff)/keys/middleware.ts": `import type { MiddlewareFunc } from "fw"
function apiKey(): MiddlewareFunc & { readonly security: "header X-API-Key" } {
  return Object.assign((next => (c) => c.header("x-api-key") ? next(c) : c.json(401, { error: "missing API key" })) as MiddlewareFunc, { security: "header X-API-Key" as const })
}
export function Middleware() { return [apiKey()] }
`,
  "app/api/(staff)/keys/route.ts": `${context}export function Get(c: Context) { return c.json(200, {}) }\n`,
  "app/proxy.ts": `import { type Context, proxy } from "fw"
export const ProxyConfig = { matcher: ["/api/:path*"], excludes: ["/api/plain"] }
export function Proxy(c: Context) { return c.isHTMX ? proxy.responseJSON(503, { error: "later" }) : proxy.continue() }
`,
}
