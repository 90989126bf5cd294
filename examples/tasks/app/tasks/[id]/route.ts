import type { Context } from "fw"
import { goBack, readFields, showAgain } from "../../../lib/pages.ts"
import { newTask } from "../../../lib/schemas.ts"
import { store } from "../../../lib/store.ts"
import { saveForm } from "../../../lib/task-form.ts"
import { Detail } from "./page.tpl.ts"

/**
 * Changes a task with the form on its page.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  const { id } = store.get(c.paramInt("id"))
  const invalidForm = await saveForm(await readFields(c), newTask, (input) => store.change(id, input))
  if (!invalidForm) return goBack(c, { back: `/tasks/${id}?saved=task` })
  const task = store.get(id)
  return showAgain(c, task.title, Detail(task, invalidForm, {}))
}
