/** Creates a project with any number of routes, five for each resource, each with its own types. */

const names = [
  "order",
  "invoice",
  "customer",
  "product",
  "supplier",
  "ticket",
  "article",
  "booking",
  "device",
  "lesson",
]

/** Returns the name of the n-th resource. */
export function resourceName(n: number): string {
  return `${names[n % names.length]}${n < names.length ? "" : Math.floor(n / names.length)}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the files of a project with `count` routes. */
export function manyRoutes(count: number): Record<string, string> {
  const files: Record<string, string> = {
    "package.json": '{ "name": "many", "type": "module" }\n',
    "main.ts": 'import { App } from "fw"\nexport default new App({ logger: false })\n',
    "lib/shared.ts": shared,
    "app/api/middleware.ts": middleware,
  }
  for (let n = 0; n * 5 < count; n++) {
    const name = resourceName(n)
    files[`lib/${name}.ts`] = model(name, n)
    files[`app/api/${name}s/route.ts`] = collection(name)
    files[`app/api/${name}s/[id]/route.ts`] = item(name)
  }
  return files
}

const shared = `import { type Context, notFound, type StandardSchema } from "fw"

/** A part of a list. */
export interface Page<T> { items: T[]; total: number; next: string | null }
/** Where somebody lives. */
export interface Address { street: string; /** Two letters. */ country?: string }
export type Currency = "EUR" | "USD" | "CHF"
/** An amount in the smallest coin. */
export interface Money { amount: number; currency: Currency }
export type Event = { kind: "created"; at: string } | { kind: "changed"; at: string; fields: string[] } | { kind: "gone" }

export function page(c: Context) {
  return { limit: c.queryInt("limit", 20), offset: c.queryInt("offset", 0), sort: c.queryDefault("sort", "id") }
}

export class Shelf<T extends { id: string }> {
  readonly #all = new Map<string, T>()
  get(id: string): T {
    const found = this.#all.get(id)
    if (!found) throw notFound("no such thing")
    return found
  }
  put(value: T): T {
    this.#all.set(value.id, value)
    return value
  }
  delete(id: string): void {
    this.get(id)
    this.#all.delete(id)
  }
  list({ limit, offset }: { limit: number; offset: number }): Page<T> {
    const all = [...this.#all.values()]
    const next = offset + limit < all.length ? String(offset + limit) : null
    return { items: all.slice(offset, offset + limit), total: all.length, next }
  }
}

export function object<Input extends object, Output extends Input = Input>(make: (given: Input) => Output) {
  return {
    "~standard": {
      version: 1,
      vendor: "many",
      validate: (given: unknown) => typeof given === "object" && given !== null ? { value: make(given as Input) } : { issues: [{ message: "is an object" }] },
    },
  } as StandardSchema<Output> & { "~standard": { types?: { input: Input; output: Output } } }
}
`

const middleware = `import { type MiddlewareFunc, unauthorized } from "fw"
/** @security bearer */
export function Middleware(): MiddlewareFunc {
  return (next) => (c) => {
    if (c.header("authorization") !== "Bearer open") throw unauthorized("sesame")
    return next(c)
  }
}
`

/** Returns the types of a resource. Every third one has dates, and every second one an event. */
function model(name: string, n: number): string {
  const type = capital(name)
  return `import { type Address, type Event, type Money, object, Shelf } from "./shared.ts"

export type ${type}State = "new" | "paid" | "done"
/** A ${name}. */
export interface ${type} {
  readonly id: string
  /** What it is called. */
  readonly title: string
  readonly state: ${type}State
  readonly price: Money | null
  readonly address?: Address
  readonly tags: readonly string[]
  readonly parent?: ${type}
  readonly size: [width: number, height: number]
  readonly extra: Record<string, string | number | boolean>
${n % 3 === 0 ? "  readonly created: Date\n" : ""}${n % 2 === 0 ? "  readonly last: Event\n" : ""}}

export const ${name}s = new Shelf<${type}>()

export interface New${type} { title: string; price?: Money | null; tags?: string[] }
export const new${type} = object<New${type}, New${type} & { tags: string[] }>((given) => ({ ...given, tags: given.tags ?? [] }))

export function make${type}({ title, price = null, tags = [] }: New${type}): ${type} {
  return { id: title.toLowerCase(), title, price, tags, state: "new", size: [1, 2], extra: { made: true }${n % 3 === 0 ? ", created: new Date(0)" : ""}${n % 2 === 0 ? ', last: { kind: "gone" }' : ""} }
}
`
}

function collection(name: string): string {
  const type = capital(name)
  return `import type { Context } from "fw"
import { make${type}, new${type}, ${name}s } from "../../../lib/${name}.ts"
import { page } from "../../../lib/shared.ts"

/** Lists the ${name}s.
 * @param limit How many, at most. */
export function Get(c: Context) {
  return c.json(200, ${name}s.list(page(c)))
}

/** Adds a ${name}. */
export async function Post(c: Context) {
  const given = await c.bind(new${type})
  if (given.title === "") return c.json(422, { wrong: "title" as const })
  return c.json(201, ${name}s.put(make${type}(given)))
}
`
}

function item(name: string): string {
  return `import { badRequest, type Context } from "fw"
import { type ${capital(name)}State, ${name}s } from "../../../../lib/${name}.ts"

/** One ${name}. */
export function Get(c: Context<"id">) {
  return c.json(200, ${name}s.get(c.param("id")))
}

/** Moves a ${name} to another state. */
export async function Put(c: Context<"id">) {
  const { state } = await c.bind<{ state: ${capital(name)}State }>()
  if (!["new", "paid", "done"].includes(state)) throw badRequest("no such state")
  return c.json(200, ${name}s.put({ ...${name}s.get(c.param("id")), state }))
}

/** Deletes a ${name}. */
export function Delete(c: Context<"id">) {
  ${name}s.delete(c.param("id"))
  return c.noContent()
}
`
}
