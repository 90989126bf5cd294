import type { Context } from "fw"
import { store } from "../../../../../lib/store.ts"

export const mcp = ["Post"]

/**
 * Finishes a task. Finishing it again changes nothing.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  return c.json(200, await store.finish(c.paramInt("id"), true))
}
