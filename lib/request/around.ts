/** What a host says of a request besides the request itself: the further arguments of `app.fetch()`, in their two forms. */
import { FwError } from "../errors.ts"

/**
 * What a host knows besides the request: the second argument of `app.fetch()`, the third of `app.request()`.
 *
 * @example
 * const pending: Promise<unknown>[] = []
 * const around: Around = { clientIP: "203.0.113.7", waitUntil: (work) => pending.push(work) }
 * const answer = await app.fetch(new Request("https://shop.example/"), around)
 */
export interface Around {
  /**
   * The address of the client, or of the proxy that the host got the request from: `c.clientIP`. `trustedProxies` apply
   * to it as they do to the address of a connection. Default: `""`, which is unknown.
   */
  readonly clientIP?: string | undefined
  /** The bindings of this program: `c.env`. Default: the environment variables, on runtimes that have them. */
  readonly env?: object | undefined
  /** Keeps the program running until a promise settles: it gets what `c.waitUntil()` gets. It is called as a method of this object. Default: nothing waits. */
  waitUntil?(promise: Promise<unknown>): unknown
}

/** The third argument that workers and Hono hand over with a request, the part that is used. */
export interface HostContext {
  waitUntil?(promise: Promise<unknown>): unknown
  /** A host that knows the address of the client may say it here. */
  readonly clientIP?: string | undefined
}

/** A second argument that says nothing to fw, such as the one of `Deno.serve()` or of a Next.js route. The names are misspellings. */
export type ForeignHost = object & {
  readonly [Name in "clientIp" | "clientip" | "client_ip" | "waituntil" | "Env"]?: never
}

/**
 * `app.fetch`.
 *
 * @example
 * const fetch: AppFetch = app.fetch
 * const answer = await fetch(new Request("https://shop.example/"), { clientIP: "203.0.113.7" })
 */
export interface AppFetch {
  /** Answers a request. */
  (request: Request, around?: Around): Promise<Response>
  /** Answers a request as workers and Hono ask: with bindings and a context. */
  (request: Request, env: unknown, context: HostContext | undefined): Promise<Response>
  /** Answers a request of a host whose second argument says nothing to fw. */
  (request: Request, host: ForeignHost): Promise<Response>
}

/** What `app.fetch` was given after the request. */
export type Given = readonly [host?: Around | undefined, context?: HostContext | undefined, ...unknown[]]

const kinds = { clientIP: "string", env: "object", waitUntil: "function" } as const
const names = ["clientIP", "env", "waitUntil"] as const

/**
 * Checks what `app.fetch()` was given besides a request. Names that it does not know are the host's own, as hosts hand
 * over what they like; a name of ours with other capitals is an error.
 *
 * @throws FwError `around`.
 */
export function checkGiven(given: Given): Given {
  const [host] = given
  // `requests.map(app.fetch)` gives an index and a list.
  if (host !== undefined && Object(host) !== host) return []
  const around = given.length < 2 ? host : given[1]
  if (Object(around) !== around) return given
  for (const name of names) checkKind(name, (around as Around)[name])
  for (const key of Object.keys(around as Around)) {
    const meant = names.find((name) => name !== key && name.toLowerCase() === key.toLowerCase())
    if (meant) refuse(`has no ${JSON.stringify(key)}`, `Write ${meant}.`)
  }
  return given
}

function checkKind(name: keyof typeof kinds, value: unknown): void {
  const kind = kinds[name]
  const fits = kind === "object" ? Object(value) === value : typeof value === kind
  if (value === undefined || fits) return
  const article = kind === "object" ? "an" : "a"
  refuse(
    `takes ${article} ${kind} for ${name}, not ${value === null ? "null" : typeof value}`,
    examples[name],
  )
}

const examples = {
  clientIP: 'Write clientIP: "203.0.113.7", or leave it out where the address is unknown.',
  env: "Write env: { API_KEY }, or leave it out.",
  waitUntil: "Write waitUntil: (promise) => { … }, or leave it out.",
}

function refuse(what: string, fix: string): never {
  throw new FwError("around", `the second argument of app.fetch() ${what}`, fix)
}
