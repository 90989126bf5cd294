import type { Context } from "fw"
import { fieldsOf, goBack, showAgain } from "../../../lib/pages.ts"
import { newTask } from "../../../lib/schemas.ts"
import { store } from "../../../lib/store.ts"
import { take } from "../../../lib/task-form.ts"
import { Detail } from "./page.tpl.ts"

/**
 * Changes a task with the form on its page.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  const { id } = store.get(c.paramInt("id"))
  const again = await take(await fieldsOf(c), newTask, (input) => store.change(id, input))
  if (!again) return goBack(c, { back: `/tasks/${id}?saved=task` })
  const task = store.get(id)
  return showAgain(c, task.title, Detail(task, again, {}))
}
