import type { Context } from "fw"
import { backToPage, isForm } from "../../../../../lib/answers.ts"
import { store } from "../../../../../lib/store.ts"

/** Finishes a task. Doing it again changes nothing. */
export async function Post(c: Context<"id">) {
  const task = await store.finish(c.paramInt("id"), true)
  return isForm(c) ? backToPage(c) : c.json(200, task)
}
