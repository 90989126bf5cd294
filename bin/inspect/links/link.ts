/** A link in a project's source. */
import type { LinkTarget } from "./link-target.ts"

/** A link and its position. */
export interface Link {
  /** The method of the request; null if it is not known. */
  readonly method: string | null
  readonly target: LinkTarget
  /** Offset in the file. */
  readonly start: number
  /** The method in a form's attribute, if forms cannot send it. The form sends GET then. */
  readonly formMethod?: string
  /** Present for a form without a method, which sends GET. `isSelf` is true if the form has no action either. */
  readonly impliedGET?: { readonly isSelf: boolean }
}
