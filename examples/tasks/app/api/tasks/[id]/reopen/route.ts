import type { Context } from "fw"
import { store } from "../../../../../lib/store.ts"

/**
 * Reopens a finished task.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  return c.json(200, await store.finish(c.paramInt("id"), false))
}
