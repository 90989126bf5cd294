/** A link that is written in a project. */
import type { LinkTarget } from "./link-target.ts"

/** A link, and where it is written. */
export interface Link {
  /** The method of the request; null if it cannot be known. */
  readonly method: string | null
  readonly target: LinkTarget
  /** Offset in its file. */
  readonly start: number
  /** A method that a form names, but that forms cannot send. The form sends GET then. */
  readonly formMethod?: string
  /** Set for a form that names no method, and so sends GET. `isSelf` is true if it names no action either. */
  readonly implied?: { readonly isSelf: boolean }
}
