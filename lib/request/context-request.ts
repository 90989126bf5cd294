/** The part of the context that reads the request, on demand. `lib/context.ts` adds the part that responds. */
import { readCookie, verifyCookie } from "#parts/cookies"
import { platform } from "#platform"
import type { ContextSettings, ReadingAccess } from "../context-access.ts"
import { devHooks } from "../dev/hooks.ts"
import type { BodySource, Exchange } from "../exchange.ts"
import { misuse } from "../fault.ts"
import type { Pattern } from "../pattern.ts"
import type { Bindings } from "../types.ts"
import type { BodyLimits } from "./body.ts"
import { forwardedClient, forwardedOrigin } from "./client-address.ts"
import { ContextStore } from "./context-store.ts"
import { decompressed } from "./decompressed.ts"
import { isJSONType } from "./header-grammar.ts"

export let reading: ReadingAccess

function bodySource(exchange: Exchange, { decompresses }: BodyLimits): BodySource {
  return decompresses ? decompressed(exchange) : exchange
}

/** A request as a handler reads it. `Params` are the names of its pattern's parameters. */
export class ContextRequest<Params extends string = string> extends ContextStore {
  #path: string
  readonly #originalPath: string
  #search: string
  readonly #exchange: Exchange
  readonly #settings: ContextSettings
  #limits: BodyLimits
  #pattern: Pattern | undefined
  #values: readonly string[] = []
  #query: URLSearchParams | undefined
  #signal: AbortSignal | undefined

  /** @internal The app creates contexts. */
  protected constructor(exchange: Exchange, path: string, settings: ContextSettings) {
    super(exchange.values)
    this.#exchange = exchange
    this.#path = path
    this.#originalPath = exchange.originalPath ?? path
    this.#search = exchange.search
    this.#settings = settings
    this.#limits = settings.limits
  }

  static {
    reading = {
      exchange: (c) => c.#exchange,
      aborted: (c) => c.#signal?.aborted ?? c.#exchange.aborted,
      rewrite(c, path, search) {
        c.#path = path
        c.#search = search
        c.#query = undefined
      },
      matched(c, pattern, values, limits) {
        c.#pattern = pattern
        c.#values = values
        c.#limits = limits
      },
      matchedPattern: (c) => c.#pattern,
      bodyParts: (c) => [bodySource(c.#exchange, c.#limits), c.#limits, c.#settings],
    }
  }

  /** The HTTP method, as sent. @example c.method // → "GET" */
  get method(): string {
    return this.#exchange.method
  }

  /**
   * The canonical path, which is the same for every spelling of it, after a proxy's rewrite.
   *
   * @example c.path // → "/users/7"
   */
  get path(): string {
    return this.#path
  }

  /** The path that the client asked for: before a proxy's rewrite, with the prefix of a mounted app. @example c.originalPath // → "/users/7" */
  get originalPath(): string {
    return this.#originalPath
  }

  /** The pattern of the route that answers: one name for all its paths. `""` where none does. @example c.pattern // → "/users/{id}" */
  get pattern(): string {
    return this.#pattern?.text ?? ""
  }

  /**
   * The query with its `?`, as sent or as rewritten by a proxy; `""` without one.
   *
   * @example c.search // → "?page=2&tag=new&tag=hot"
   */
  get search(): string {
    return this.#search
  }

  /**
   * Aborts when the client disconnects, and when a `timeout()` is over.
   *
   * @example const answer = await fetch("https://weather.example", { signal: c.signal })
   */
  get signal(): AbortSignal {
    return this.#signal ?? this.#exchange.signal
  }

  /** Lets another signal abort {@link signal} too, such as a time limit. @example c.addSignal(AbortSignal.timeout(5000)) */
  addSignal(signal: AbortSignal): void {
    this.#signal = AbortSignal.any([this.signal, signal])
  }

  /**
   * The environment: variables and, on workers, the bindings of this deployment. Declare yours once:
   * `declare module "fw" { interface Bindings { DATABASE_URL: string } }`.
   *
   * @example const home = c.env.HOME
   */
  get env(): Bindings {
    return (this.#exchange.env ?? platform.env.vars) as Bindings
  }

  /**
   * Lets a promise run after the response: a worker stays alive for it, and `shutdown()` of a server waits
   * for it. A rejection is reported as a bug.
   *
   * @throws TypeError for a value that is not a promise, such as a function that was not called.
   * @example c.waitUntil(Promise.resolve("the mail is sent"))
   */
  waitUntil(promise: Promise<unknown>): void {
    if (typeof promise?.then !== "function") throw misuse("wait", promise)
    this.#exchange.waitUntil(Promise.resolve(promise).catch(platform.report))
  }

  /**
   * The client's address, in one spelling on every host: IPv4, or IPv6 as in RFC 5952, without a port. Forwarding
   * headers count only from `trustedProxies`. `""` if neither the runtime nor the host knows it, and `unix` for a peer on
   * a Unix socket.
   *
   * @example c.clientIP // → "127.0.0.1"
   */
  get clientIP(): string {
    return forwardedClient(this.#exchange, this.#settings.trusted)
  }

  /**
   * Scheme and host that the client requested, such as `https://shop.example`; a forwarded scheme counts only
   * from `trustedProxies`.
   *
   * @example c.origin // → "http://localhost"
   */
  get origin(): string {
    return forwardedOrigin(this.#exchange, this.#settings.trusted)
  }

  /** True if the Content-Type is `application/json` or ends in `+json`. @example c.isJSON // → false */
  get isJSON(): boolean {
    return isJSONType(this.#exchange.header("content-type"))
  }

  /** True if htmx sent the request: the header `HX-Request` is present. @example c.isHTMX // → false */
  get isHTMX(): boolean {
    return this.#exchange.header("hx-request") !== ""
  }

  /**
   * A parameter of the route's pattern, decoded; `""` if there is none with that name, which `fw dev` reports as a bug.
   *
   * @example c.param("id") // → "7"
   */
  param(name: Params): string {
    const pattern = this.#pattern
    const index = pattern?.names.indexOf(name) ?? -1
    if (pattern && index < 0) devHooks()?.onUnknownParam?.(name, pattern, this.method)
    return this.#values[index] ?? ""
  }

  /** A parameter as an integer; 0 if it is not one. @example c.paramInt("id") // → 7 */
  paramInt(name: Params): number {
    return integer(this.param(name)) ?? 0
  }

  get #queries(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search)
    return this.#query
  }

  /** The first query value with that name; `""` if missing. @example c.query("page") // → "2" */
  query(name: string): string {
    return this.#search === "" ? "" : (this.#queries.get(name) ?? "")
  }

  /** The query value; `fallback` if missing. @example c.queryDefault("sort", "name") // → "name" */
  queryDefault(name: string, fallback: string): string {
    return this.#queries.get(name) ?? fallback
  }

  /**
   * The query value as an integer; `fallback` if missing or not an integer.
   *
   * @example c.queryInt("page", 1) // → 2
   */
  queryInt(name: string, fallback = 0): number {
    return integer(this.query(name)) ?? fallback
  }

  /**
   * The query value as a boolean: true/false, 1/0, yes/no, on/off; `fallback` if missing or none of these.
   *
   * @example c.queryBool("draft") // → false
   */
  queryBool(name: string, fallback = false): boolean {
    const value = this.query(name)
    return /^(?:true|1|yes|on)$/i.test(value) || (fallback && !/^(?:false|0|no|off)$/i.test(value))
  }

  /** All query values with that name. @example c.queryAll("tag") // → ["new", "hot"] */
  queryAll(name: string): string[] {
    return this.#queries.getAll(name)
  }

  /** A request header; `""` if missing, `", "` between several. @example c.header("X-Team") // → "blue" */
  header(name: string): string {
    return this.#exchange.header(`${name}`.toLowerCase())
  }

  /**
   * A request cookie's value; `""` if missing. With `{ signed: true }` a promise of the value of a signed cookie, which is
   * `""` as well if the signature is not valid: for another value, another cookie, or a secret that is not in `FW_SECRETS`.
   *
   * @throws FwError `secrets` for a signed cookie if `FW_SECRETS` is not valid.
   * @example
   * c.cookie("theme") // → "dark"
   * await c.cookie("theme", { signed: true }) // → ""
   */
  cookie(name: string): string
  cookie(name: string, options: { readonly signed: true }): Promise<string>
  cookie(name: string, options?: { readonly signed: true }): string | Promise<string> {
    const text = readCookie(this.#exchange.header("cookie"), name)
    return options === undefined ? text : verifyCookie(this, name, text, options)
  }
}

function integer(text: string): number | null {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  // Adding 0 turns -0 into 0.
  return Number.isSafeInteger(value) ? value + 0 : null
}
