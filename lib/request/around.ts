/** The arguments of `app.fetch()` after the request, with which a host passes its data. Two forms are accepted. */
import { fault, misuse } from "../errors/fault.ts"
import type { LogRecord } from "../log/record.ts"

/**
 * What the host knows about a request: the second argument of `app.fetch()`, and the third of `app.request()`.
 *
 * @example
 * const pending: Promise<unknown>[] = []
 * const around: Around = { clientIP: "203.0.113.7", waitUntil: (work) => pending.push(work) }
 * const answer = await app.fetch(new Request("https://shop.example/"), around)
 */
export interface Around {
  /**
   * Address of the client, or of the proxy that has passed the request to the host. It is `c.clientIP`, and
   * `trustedProxies` apply to it as to the address of a connection. A port is ignored. `unix` stands for a Unix socket.
   * Any other text counts as `""`, which means unknown and is the default.
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

/** The key of a list to which a test's lines of `c.log` are added. */
export const testLines: unique symbol = Symbol("lines")

/** The data of a test that collects the lines of `c.log`. */
export interface TestAround extends Around {
  readonly [testLines]?: LogRecord[]
}

/** The third argument that workers and Hono pass with a request, reduced to the members that fw uses. */
export interface HostContext {
  waitUntil?(promise: Promise<unknown>): unknown
  /** The client's address, if the host knows it. */
  readonly clientIP?: string | undefined
}

/**
 * A second argument that fw ignores, such as that of `Deno.serve()` or of a Next.js route. The forbidden names are
 * common misspellings of names in {@link Around}.
 */
export type ForeignHost = object & {
  readonly [Name in "clientIp" | "clientip" | "client_ip" | "waituntil" | "Env"]?: never
}

/**
 * The type of `app.fetch`, which answers a request with an app.
 *
 * @example
 * const fetch: AppFetch = app.fetch
 * const answer = await fetch(new Request("https://shop.example/"), { clientIP: "203.0.113.7" })
 */
export interface AppFetch {
  /** Answers a request. */
  (request: Request, around?: Around): Promise<Response>
  /** Answers a request as on workers and in Hono, with bindings and a context. */
  (request: Request, env: unknown, context: HostContext | undefined): Promise<Response>
  /** Answers a request of a host that passes another second argument, which fw ignores. */
  (request: Request, host: ForeignHost): Promise<Response>
}

/**
 * An object that answers requests: an {@link App}, or any other object with a `fetch`.
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
 * Checks the arguments of `app.fetch()` after the request. Unknown names are allowed, because hosts pass objects of
 * many kinds. A name of {@link Around} in other capitals is an error.
 *
 * @throws FwError `around`.
 */
export function checkFetchArguments(args: FetchArguments): FetchArguments {
  const [host] = args
  // `requests.map(app.fetch)` passes the index and the array too.
  if (host !== undefined && Object(host) !== host) return []
  const around = args.length < 2 ? host : args[1]
  if (Object(around) !== around) return args
  for (const name of argumentNames) checkArgumentType(name, (around as Around)[name])
  for (const key of Object.keys(around as Around)) {
    const suggestion = argumentNames.find((name) => name !== key && name.toLowerCase() === key.toLowerCase())
    if (suggestion) throw fault("around.unknown", [key, suggestion])
    // Bindings often have names in capitals, and hosts never use such names. So the bindings were passed in the wrong
    // place.
    if (around === host && /^[A-Z][A-Z\d_]*$/.test(key)) throw fault("around.bindings", [fetchArgument, key])
  }
  return args
}

const fetchArgument = "the second argument of app.fetch()"

/**
 * Returns the data about a test's request. The client is on this machine, unless the test sets another address. No host
 * adds names of its own here, so unknown names are errors.
 *
 * @param args the arguments of `app.request()` after the path and `init`.
 * @throws FwError `around`; TypeError for a target that is neither a path nor a URL.
 */
export function createTestAround(target: unknown, args: readonly unknown[]): Around {
  if (typeof target !== "string" && !(target instanceof URL)) throw misuse("request", target)
  const [around = {}, ...more] = args
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
  const isValid = kind === "object" ? Object(value) === value : typeof value === kind
  if (value === undefined || isValid) return
  throw fault("around", [name, kind, value])
}
