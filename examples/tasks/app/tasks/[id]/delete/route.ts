import type { Context } from "fw"
import { goBack, readFields } from "../../../../lib/pages.ts"
import { store } from "../../../../lib/store.ts"

/**
 * Deletes a task after a confirmation: a dialog with htmx, the page of the task without a script.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  const id = c.paramInt("id")
  const fields = await readFields(c)
  if (fields.sure !== "yes") return goBack(c, { back: `/tasks/${id}?delete=sure` })
  await store.remove(id)
  return goBack(c, fields)
}
