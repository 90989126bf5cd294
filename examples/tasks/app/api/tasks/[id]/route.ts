import type { Context } from "fw"
import { taskChange } from "../../../../lib/schemas.ts"
import { store } from "../../../../lib/store.ts"

/** One task. */
export function Get(c: Context<"id">) {
  return c.json(200, store.get(c.paramInt("id")))
}

/** Changes what is given, and leaves the rest. */
export async function Patch(c: Context<"id">) {
  return c.json(200, await store.change(c.paramInt("id"), await c.bind(taskChange)))
}

/** Deletes a task with its attachments. */
export async function Delete(c: Context<"id">) {
  await store.remove(c.paramInt("id"))
  return c.noContent()
}
