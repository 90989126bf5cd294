/** The types of an explanation of a request, which `fw routes --explain` gives. */
import type { Candidate } from "./explain-candidates.ts"

/** The response, as far as it is known without running code. */
export interface ExplainedAnswer {
  /**
   * `options` is fw's own response to OPTIONS; `upgrade` is its response to a plain request for a path that is for
   * WebSockets.
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
  /** The status; null if a handler decides it. */
  readonly status: number | null
  /** File of the handler, the page, the static file or the not-found page; null if there is none. */
  readonly file: string | null
  /** Line of the handler's export. */
  readonly line: number | null
  readonly export: string | null
  readonly pattern: string | null
  /** The decoded parameters, by name. */
  readonly params: Readonly<Record<string, string>>
  /** Middleware around the response, outermost first. */
  readonly middleware: readonly string[]
  /** The layout of a page. */
  readonly layout: string | null
  /** Target of a redirect. */
  readonly location: string | null
  /** Methods of the path, for 405 and OPTIONS. */
  readonly allow: readonly string[]
  /** A further line, such as the reason why a path is refused. */
  readonly note: string | null
}

/** A pattern of the proxy, and whether it matches the path. */
export interface ExplainedMatcher {
  readonly pattern: string
  readonly covers: boolean
}

/** The proxy's part. */
export interface ExplainedProxy {
  readonly file: string
  /** True if the proxy runs for this request. */
  readonly runs: boolean
  readonly matchers: readonly ExplainedMatcher[]
  readonly excludes: readonly ExplainedMatcher[]
  /** Its possible actions, from its source; for a rewrite to a literal path, also the response after the rewrite. */
  readonly actions: ReadonlyArray<{
    readonly action: string
    readonly line: number
    readonly to: string | null
    readonly answer: ExplainedAnswer | null
  }>
}

/** The whole explanation. */
export interface Explanation {
  readonly method: string
  /** The target as the user gave it. */
  readonly target: string
  /** The canonical path, with which everything is matched; null for an invalid path. */
  readonly path: string | null
  readonly proxy: ExplainedProxy | null
  /** The response if the proxy does not change the request. */
  readonly answer: ExplainedAnswer
  readonly candidates: readonly Candidate[]
  /** The main file, whose own middleware is unknown; null if there is none. */
  readonly main: string | null
  /** Reason why the routes of the main file are unknown, and the fix. */
  readonly unlisted?: { readonly message: string; readonly fix: string }
}

/** The request to explain. */
export interface ExplainRequest {
  readonly method: string
  /** A path, optionally with a query, or a whole URL. */
  readonly target: string
}
