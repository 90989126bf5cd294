/** What several routes share: reading a JSON body or a form alike, and answering a browser's form with a page. */
import { badRequest, type Context, type StandardSchema } from "fw"

/** Whether the body is a form's: a browser sent it, or htmx did. */
export function isForm(c: Context): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(c.header("content-type"))
}

/** The body by a schema, be it JSON or a form. @throws HttpError 400 with `issues`, 415 for any other kind. */
export async function readInput<Output>(c: Context, schema: StandardSchema<Output>): Promise<Output> {
  if (!isForm(c)) return c.bind(schema)
  const fields = Object.fromEntries(await c.form())
  const result = await schema["~standard"].validate(fields)
  if (result.issues) throw badRequest("the form is not valid", { issues: result.issues })
  return result.value
}

/** Back to the page after a form was taken: 303 makes it a GET, and reloading does not send the form again. */
export function backToPage(c: Context): Response {
  return c.redirect(303, "/")
}
