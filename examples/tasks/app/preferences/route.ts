import type { Context } from "fw"
import { fieldsOf, goBack } from "../../lib/pages.ts"
import { keepTheme, themeOf } from "../../lib/theme.ts"

/**
 * Stores the theme that was chosen in the footer.
 *
 * @security none
 */
export async function Post(c: Context) {
  const fields = await fieldsOf(c)
  keepTheme(c, themeOf(fields.theme))
  return goBack(c, fields)
}
