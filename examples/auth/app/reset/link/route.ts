import type { Context } from "fw"
import { openReset } from "../../../lib/auth/links.ts"

/** Opens the link of a mail. It changes nothing yet, because mail servers open links to check them. */
export function Get(c: Context) {
  return openReset(c)
}
