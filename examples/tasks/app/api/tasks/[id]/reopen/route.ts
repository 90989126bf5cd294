import type { Context } from "fw"
import { backToPage, isForm } from "../../../../../lib/answers.ts"
import { store } from "../../../../../lib/store.ts"

/** Opens a finished task again. */
export async function Post(c: Context<"id">) {
  const task = await store.finish(c.paramInt("id"), false)
  return isForm(c) ? backToPage(c) : c.json(200, task)
}
