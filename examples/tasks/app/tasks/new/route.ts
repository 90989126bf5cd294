import type { Context } from "fw"
import { fieldsOf, goBack, showAgain } from "../../../lib/pages.ts"
import { newTask } from "../../../lib/schemas.ts"
import { store } from "../../../lib/store.ts"
import { take } from "../../../lib/task-form.ts"
import { New, title } from "./page.tpl.ts"

/**
 * Adds a task.
 *
 * @security none
 */
export async function Post(c: Context) {
  const again = await take(await fieldsOf(c), newTask, (input) => store.add(input))
  return again ? showAgain(c, title, New(again)) : goBack(c, {})
}
