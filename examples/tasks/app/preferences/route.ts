import type { Context } from "fw"
import { goBack, readFields } from "../../lib/pages.ts"
import { findTheme, keepTheme } from "../../lib/theme.ts"

/**
 * Stores the theme that was chosen in the footer.
 *
 * @security none
 */
export async function Post(c: Context) {
  const fields = await readFields(c)
  keepTheme(c, findTheme(fields.theme))
  return goBack(c, fields)
}
