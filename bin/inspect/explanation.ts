/** The types of an explanation of `fw routes --explain`. */
import type { Candidate } from "./explain-candidates.ts"

/** The response, as far as it is known without running code. */
export interface ExplainedAnswer {
  /**
   * `options` is fw's own answer to OPTIONS. `upgrade` is its answer to a request without an upgrade for a
   * WebSocket path.
   */
  readonly kind:
    | "upgrade"
    | "route"
    | "page"
    | "file"
    | "redirect"
    | "options"
    | "not_allowed"
    | "not_found"
    | "refused"
  /** The status; null if a handler chooses it. */
  readonly status: number | null
  /** The file of the handler, page, static file or error page; null if there is none. */
  readonly file: string | null
  /** The line of the handler's export. */
  readonly line: number | null
  readonly export: string | null
  readonly pattern: string | null
  /** The path parameters by name, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The middleware that runs, the outermost first. */
  readonly middleware: readonly string[]
  /** The layout of a page. */
  readonly layout: string | null
  /** The target of a redirect. */
  readonly location: string | null
  /** The methods of the path, for a 405 or OPTIONS. */
  readonly allow: readonly string[]
  /** Another line, for example why a path is refused. */
  readonly note: string | null
}

/** A pattern of the proxy, and whether it matches the path. */
export interface ExplainedMatcher {
  readonly pattern: string
  readonly covers: boolean
}

/** What the proxy does. */
export interface ExplainedProxy {
  readonly file: string
  /** True if the proxy runs for the request. */
  readonly runs: boolean
  readonly matchers: readonly ExplainedMatcher[]
  readonly excludes: readonly ExplainedMatcher[]
  /** What the proxy may do, from its source. For a rewrite to a literal path, also the response of that path. */
  readonly actions: ReadonlyArray<{
    readonly action: string
    readonly line: number
    readonly to: string | null
    readonly answer: ExplainedAnswer | null
  }>
}

/** The complete explanation. */
export interface Explanation {
  readonly method: string
  /** The target as the user wrote it. */
  readonly target: string
  /** The canonical path, which is matched with patterns; null if the path is invalid. */
  readonly path: string | null
  readonly proxy: ExplainedProxy | null
  /** The response if the proxy does not change the request. */
  readonly answer: ExplainedAnswer
  readonly candidates: readonly Candidate[]
  /** The main file, whose middleware is not known; null if there is none. */
  readonly main: string | null
  /** Why the routes of the main file are not known, and the fix. */
  readonly unlisted?: { readonly message: string; readonly fix: string }
}

/** The request to explain. */
export interface ExplainRequest {
  readonly method: string
  /** A path, which may have a query, or a URL. */
  readonly target: string
}
