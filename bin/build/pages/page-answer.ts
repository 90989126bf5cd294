/** The answers that a build makes, as the process that makes them sends them. */
import type { Location } from "../../../lib/errors.ts"
import type { buildMessages } from "../../messages/build.ts"

/** An answer to GET. */
export interface PageAnswer {
  /** Canonical. */
  readonly path: string
  /** The page or the route that made it. */
  readonly source: string
  readonly status: number
  /** Names in lower case, sorted. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
}

/** The name of a message, its facts and its place. */
export interface PageFailure {
  readonly name: Extract<keyof typeof buildMessages, `prerender${string}`>
  readonly facts: readonly unknown[]
  readonly at: Location
}

/** What to make. */
export interface PageOrder {
  /** The bundle that exports the application and its routes. */
  readonly bundle: string
  readonly root: string
  /** Scheme and host of the site; undefined if they are not known. */
  readonly site: string | undefined
  /** True to ask for each path as a visitor does, and for the page of a missing path. */
  readonly asksAsVisitor: boolean
}

/** What was made. */
export interface PageResults {
  /** Sorted by path. */
  readonly answers: readonly PageAnswer[]
  readonly failures: readonly PageFailure[]
  /** The status of a visitor's answer, by path, where it is another one: a middleware answers. */
  readonly refusals: Readonly<Record<string, number>>
  /** The application's page of a path that does not exist. */
  readonly notFound: Uint8Array | null
}
