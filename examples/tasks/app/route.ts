import type { Context } from "fw"
import { createBoard } from "../lib/board.ts"
import { goBack, readFields, showAgain } from "../lib/pages.ts"
import { newTask } from "../lib/schemas.ts"
import { store } from "../lib/store.ts"
import { saveForm } from "../lib/task-form.ts"
import { Home } from "./page.tpl.ts"

/**
 * Adds a task with the form above the list.
 *
 * @security none
 */
export async function Post(c: Context) {
  const invalidForm = await saveForm(await readFields(c), newTask, (input) => store.add(input))
  if (!invalidForm) return goBack(c, {})
  return showAgain(c, store.settings.name, Home(c, createBoard({ state: "", q: "" }), invalidForm))
}
