/** The arguments of `app.fetch()` after the request, in two forms: the host's data about a request. */
import { fault, misuse } from "../errors/fault.ts"
import type { LogRecord } from "../log/record.ts"

/**
 * Data of the host about a request: the second argument of `app.fetch()`, the third of `app.request()`.
 *
 * @example
 * const pending: Promise<unknown>[] = []
 * const around: Around = { clientIP: "203.0.113.7", waitUntil: (work) => pending.push(work) }
 * const answer = await app.fetch(new Request("https://shop.example/"), around)
 */
export interface Around {
  /**
   * Address of the client, or of the proxy from which the host got the request: `c.clientIP`.
   * `trustedProxies` apply to it as to the address of a connection, and a port does not count. Text that is not an
   * address is `""`, which means unknown and is the default. `unix` is a peer on a Unix socket.
   */
  readonly clientIP?: string | undefined
  /** The bindings of the program: `c.env`. Default: the environment variables, on runtimes that have them. */
  readonly env?: object | undefined
  /**
   * Keeps the program running until a promise of `c.waitUntil()` settles. It is called as a method of this object.
   * Default: nothing waits for the promise.
   */
  waitUntil?(promise: Promise<unknown>): unknown
}

/** The key of the list that takes the lines of `c.log` in a test. */
export const testLines: unique symbol = Symbol("lines")

/** The data of a host that wants the lines of `c.log`. */
export interface TestAround extends Around {
  readonly [testLines]?: LogRecord[]
}

/** The third argument that workers and Hono pass with a request: the part that is used. */
export interface HostContext {
  waitUntil?(promise: Promise<unknown>): unknown
  /** The client's address, if the host knows it. */
  readonly clientIP?: string | undefined
}

/**
 * A second argument that fw ignores, such as that of `Deno.serve()` or of a Next.js route. The names are
 * common misspellings.
 */
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
  /** Answers a request in the form of workers and Hono: with bindings and a context. */
  (request: Request, env: unknown, context: HostContext | undefined): Promise<Response>
  /** Answers a request of a host whose second argument fw ignores. */
  (request: Request, host: ForeignHost): Promise<Response>
}

/**
 * An object that answers requests: an {@link App}, or any other with its `fetch`.
 *
 * @example
 * const fake: Answering = { fetch: async () => new Response("hello") }
 * const answer = await testClient(fake).request("/")
 * await answer.text() // → "hello"
 */
export interface Answering {
  fetch(request: Request, around?: Around): Promise<Response>
}

/** The arguments of `app.fetch` after the request. */
export type FetchArguments = readonly [host?: Around | undefined, context?: HostContext | undefined, ...unknown[]]

const argumentTypes = { clientIP: "string", env: "object", waitUntil: "function" } as const
const argumentNames = ["clientIP", "env", "waitUntil"] as const

/**
 * Checks the arguments of `app.fetch()` after the request. Unknown names belong to the host, because hosts
 * pass various objects; a name of ours with other capitals is an error.
 *
 * @throws FwError `around`.
 */
export function checkFetchArguments(given: FetchArguments): FetchArguments {
  const [host] = given
  // `requests.map(app.fetch)` passes an index and a list.
  if (host !== undefined && Object(host) !== host) return []
  const around = given.length < 2 ? host : given[1]
  if (Object(around) !== around) return given
  for (const name of argumentNames) checkArgumentType(name, (around as Around)[name])
  for (const key of Object.keys(around as Around)) {
    const suggestion = argumentNames.find((name) => name !== key && name.toLowerCase() === key.toLowerCase())
    if (suggestion) throw fault("around.unknown", [key, suggestion])
    // No host has such a name, but programs give such names to their bindings.
    if (around === host && /^[A-Z][A-Z\d_]*$/.test(key)) throw fault("around.bindings", [fetchArgument, key])
  }
  return given
}

const fetchArgument = "the second argument of app.fetch()"

/**
 * Returns the data about a request of a test, whose client is on this machine unless another one is given. There is no
 * host that passes names of its own, so an unknown one is an error.
 *
 * @param given the arguments of `app.request()` after the path and `init`.
 * @throws FwError `around`; TypeError for a target that is neither a path nor a URL.
 */
export function createTestAround(target: unknown, given: readonly unknown[]): Around {
  if (typeof target !== "string" && !(target instanceof URL)) throw misuse("request", target)
  const [around = {}, ...more] = given
  if (more.some((one) => one !== undefined)) throw fault("around.context")
  if (Object(around) !== around) throw fault("around.kind", [around])
  for (const key of Object.keys(around as object)) {
    if (!argumentNames.some((name) => name.toLowerCase() === key.toLowerCase()))
      throw fault("around.bindings", ["the third argument of app.request()", key])
  }
  return { clientIP: "127.0.0.1", ...(around as Around) }
}

function checkArgumentType(name: keyof typeof argumentTypes, value: unknown): void {
  const kind = argumentTypes[name]
  const fits = kind === "object" ? Object(value) === value : typeof value === kind
  if (value === undefined || fits) return
  throw fault("around", [name, kind, value])
}
