/** A contract case: an app, a request, and the response that every runtime must return. */
import { App, type AppOptions } from "../../../lib/index.ts"

/** A request. A plain string is `"METHOD /path"`, or a path for GET. */
export interface Ask {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: NonNullable<RequestInit["body"]>
  /** The body is sent without a Content-Length. */
  readonly chunked?: boolean
  /** The whole request as it is sent. The other properties are ignored then. */
  readonly raw?: string
  /** The request is repeated until the answer's body matches, because the effect of another request takes time. */
  readonly until?: RegExp
}

/** A step before the tested request: a request, a request that stays open, or its client disconnecting. */
export type Step = string | Ask | { readonly open: string | Ask } | { readonly leave: true }

/**
 * The expected response. Other fields are not checked, but they must be the same for every way to send the request.
 */
export interface Expected {
  /** Default: 200. */
  readonly status?: number
  /** Null means that the header must be absent. `content-length` is checked only over sockets. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>
  readonly cookies?: readonly string[]
  readonly body?: string | RegExp
  readonly json?: unknown
  /** The answer must break off before it is complete. */
  readonly broken?: true
}

/** One claim about an app's behaviour. */
export interface Case {
  /** The part of the API that the case is about, such as `c.json()`. */
  readonly subject: string
  readonly name: string
  readonly app: () => App | Promise<App>
  /** Steps before the request, which only run over sockets. */
  readonly before?: readonly Step[]
  readonly request: string | Ask
  readonly expect: Expected
  /** The only way to send the request, if the other one cannot send it or gives another response by nature. */
  readonly via?: "fetch" | "socket"
}

/** Returns a function that creates an app without a log. */
export function app(fill: (app: App) => void, options: AppOptions = {}): () => App {
  return () => {
    const made = new App({ logger: false, ...options })
    fill(made)
    return made
  }
}

/** Expands the short form of a request. */
export function toAsk(request: string | Ask): Ask & { method: string } {
  if (typeof request !== "string") return { method: "GET", ...request }
  const space = request.indexOf(" ")
  if (space < 0) return { method: "GET", path: request }
  return { method: request.slice(0, space), path: request.slice(space + 1) }
}

/** Returns a request with a JSON body and its content type. */
export function json(path: string, body: unknown, method = "POST"): Ask {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return { method, path, body: text, headers: { "content-type": "application/json" } }
}

/** Returns a POST request to `/`, whose body is plain text unless another type is given. */
export function post(body: NonNullable<Ask["body"]>, type = "", chunked = false): Ask {
  return { method: "POST", path: "/", body, chunked, headers: { "content-type": type || "text/plain" } }
}

/** Returns the expected body of an error's answer. */
export function error(code: string, message: string, more: object = {}): { json: unknown } {
  return { json: { error: code, message, ...more } }
}
