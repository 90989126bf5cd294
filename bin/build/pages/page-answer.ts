/** The data that the build and the process that prerenders pages send each other. */
import type { Location } from "../../../lib/errors.ts"
import type { buildMessages } from "../../messages/build.ts"

/** A prerendered answer to GET. */
export interface PageAnswer {
  /** The canonical path. */
  readonly path: string
  /** The file of the page or route. */
  readonly source: string
  readonly status: number
  /** Names in lower case, sorted. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** A failure: the name of its message, the message's facts, and the place in the source. */
export interface PageFailure {
  readonly name: Extract<keyof typeof buildMessages, `prerender${string}`>
  readonly facts: readonly unknown[]
  readonly at: Location
}

/** The order to prerender a project's pages. */
export interface PageOrder {
  /** The bundle that exports the application and its routes. */
  readonly bundle: string
  readonly root: string
  /** Scheme and host of the site; undefined if they are not known. */
  readonly site: string | undefined
  /** True to request each path as a visitor does, and also a path that does not exist. */
  readonly asksAsVisitor: boolean
}

/** The results of prerendering. */
export interface PageResults {
  /** Sorted by path. */
  readonly answers: readonly PageAnswer[]
  readonly failures: readonly PageFailure[]
  /** For each path that a middleware or the proxy answers instead of the page: the status that a visitor gets. */
  readonly refusals: Readonly<Record<string, number>>
  /** The application's page for a path that does not exist. */
  readonly notFound: Uint8Array | null
}
