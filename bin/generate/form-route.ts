/** Generates the route of a form. */
import type { FormField } from "./form-fields.ts"

const guardedComment = "/** Takes the form. A form that the schema refuses is shown again, with its messages. */"
const openComment = `/**
 * Takes the form, which everyone may send. A form that the schema refuses is shown again, with its messages.
 *
 * @security none
 */`

/**
 * Returns the text of `route.ts`, which handles the submitted form.
 *
 * @param isOpen true if everyone may submit the form. The handler declares that, so `fw validate --security` does
 * not report it.
 */
export function renderFormRoute(fields: readonly FormField[], isOpen: boolean): string {
  const hasFiles = fields.some(({ kind }) => kind === "file")
  const options = hasFiles ? ', { types: ["image/*"], maxFile: 5_000_000 }' : ""
  return `import type { Context } from "fw"
import { title, View } from "./page.tpl.ts"
import { schema } from "./schema.ts"

${isOpen ? openComment : guardedComment}
export async function Post(c: Context) {
  const form = await c.readForm(schema${options})
  if (!form.ok) return c.page(422, title, View(form))
  // form.data is what the schema returned: save it or send it here.
  c.flash("Thank you. The form was sent.")
  return c.redirect(303, c.path)
}
`
}
