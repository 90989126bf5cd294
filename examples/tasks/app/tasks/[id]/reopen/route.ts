import type { Context } from "fw"
import { fieldsOf, goBack } from "../../../../lib/pages.ts"
import { store } from "../../../../lib/store.ts"

/** Opens a finished task again. */
export async function Post(c: Context<"id">) {
  await store.finish(c.paramInt("id"), false)
  return goBack(c, await fieldsOf(c))
}
