import type { Context } from "fw"
import { boardOf } from "../lib/board.ts"
import { fieldsOf, goBack, showAgain } from "../lib/pages.ts"
import { newTask } from "../lib/schemas.ts"
import { store } from "../lib/store.ts"
import { take } from "../lib/task-form.ts"
import { Home } from "./page.tpl.ts"

/**
 * Adds a task with the form above the list.
 *
 * @security none
 */
export async function Post(c: Context) {
  const again = await take(await fieldsOf(c), newTask, (input) => store.add(input))
  if (!again) return goBack(c, {})
  return showAgain(c, store.settings.name, Home(c, boardOf({ state: "", q: "" }), again))
}
