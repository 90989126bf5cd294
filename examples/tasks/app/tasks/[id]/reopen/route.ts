import type { Context } from "fw"
import { goBack, readFields } from "../../../../lib/pages.ts"
import { store } from "../../../../lib/store.ts"

/**
 * Reopens a finished task.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  await store.finish(c.paramInt("id"), false)
  return goBack(c, await readFields(c))
}
