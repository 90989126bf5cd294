import type { Context } from "fw"
import { store } from "../../../../../lib/store.ts"

/** Opens a finished task again. */
export async function Post(c: Context<"id">) {
  return c.json(200, await store.finish(c.paramInt("id"), false))
}
