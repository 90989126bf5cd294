/** A contract case: an app, a request, and the response that every runtime must return. */
import { App, type AppOptions } from "../../../lib/index.ts"

/** A request; a plain string is `"METHOD /path"`, or a path for GET. */
export interface Ask {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: NonNullable<RequestInit["body"]>
  /** The body comes without a Content-Length. */
  readonly chunked?: boolean
  /** The whole request as it is sent, in place of all the others. */
  readonly raw?: string
  /** Asked again until the answer's body is like that: what another request leads to takes its time. */
  readonly until?: RegExp
}

/** A step before the tested request: a request, one that stays open, and its client's disconnecting. */
export type Step = string | Ask | { readonly open: string | Ask } | { readonly leave: true }

/** The expected response. Fields that are not named are not checked, but must be the same on every way in. */
export interface Expected {
  /** Default: 200. */
  readonly status?: number
  /** Null: the header must be absent. `content-length` is looked at over sockets only. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>
  readonly cookies?: readonly string[]
  readonly body?: string | RegExp
  readonly json?: unknown
  /** The answer must break off before it is whole. */
  readonly broken?: true
}

/** One claim. */
export interface Case {
  /** The part of the API that the case is about, such as `c.json()`. */
  readonly subject: string
  readonly name: string
  readonly app: () => App | Promise<App>
  /** Over sockets only. */
  readonly before?: readonly Step[]
  readonly request: string | Ask
  readonly expect: Expected
  /** Set if only one way in can make such a request, or the responses differ by nature. */
  readonly via?: "fetch" | "socket"
}

/** A maker of apps that log nothing. */
export function app(fill: (app: App) => void, options: AppOptions = {}): () => App {
  return () => {
    const made = new App({ logger: false, ...options })
    fill(made)
    return made
  }
}

/** Reads the short form of a request. */
export function askOf(request: string | Ask): Ask & { method: string } {
  if (typeof request !== "string") return { method: "GET", ...request }
  const space = request.indexOf(" ")
  if (space < 0) return { method: "GET", path: request }
  return { method: request.slice(0, space), path: request.slice(space + 1) }
}

/** A JSON body with its content type. */
export function json(path: string, body: unknown, method = "POST"): Ask {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return { method, path, body: text, headers: { "content-type": "application/json" } }
}

/** A body for `/`, plain text unless another type is said. */
export function post(body: NonNullable<Ask["body"]>, type = "", chunked = false): Ask {
  return { method: "POST", path: "/", body, chunked, headers: { "content-type": type || "text/plain" } }
}

/** The body of an error's answer. */
export function error(code: string, message: string, more: object = {}): { json: unknown } {
  return { json: { error: code, message, ...more } }
}
