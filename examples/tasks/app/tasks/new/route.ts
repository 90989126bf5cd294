import type { Context } from "fw"
import { goBack, readFields, showAgain } from "../../../lib/pages.ts"
import { newTask } from "../../../lib/schemas.ts"
import { store } from "../../../lib/store.ts"
import { saveForm } from "../../../lib/task-form.ts"
import { New, title } from "./page.tpl.ts"

/**
 * Adds a task.
 *
 * @security none
 */
export async function Post(c: Context) {
  const invalidForm = await saveForm(await readFields(c), newTask, (input) => store.add(input))
  return invalidForm ? showAgain(c, title, New(invalidForm)) : goBack(c, {})
}
