/** Facts about the code of a file. */

import type { Language } from "./elements.ts"

/** Purpose of the code. Code for `"check"` has the same errors and types, is shorter, and prints nothing. */
export type Purpose = "run" | "check"

/** The form of the code. */
export interface Form {
  readonly language: Language
  /** Name of the type of a template's result. */
  readonly type: string
  readonly purpose: Purpose
}
