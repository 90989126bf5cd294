import type { Context } from "fw"
import { goBack, readFields } from "../../../../lib/pages.ts"
import { store } from "../../../../lib/store.ts"

/**
 * Finishes a task. Finishing it again changes nothing.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  await store.finish(c.paramInt("id"), true)
  return goBack(c, await readFields(c))
}
