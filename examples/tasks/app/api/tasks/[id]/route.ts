import type { Context } from "fw"
import { taskChange } from "../../../../lib/schemas.ts"
import { store } from "../../../../lib/store.ts"

/** Everything but Delete is offered to language models. */
export const mcp = ["Get", "Patch"]

/** Returns one task. */
export function Get(c: Context<"id">) {
  return c.json(200, store.get(c.paramInt("id")))
}

/**
 * Changes the given fields, and keeps the others.
 *
 * @security none
 */
export async function Patch(c: Context<"id">) {
  return c.json(200, await store.change(c.paramInt("id"), await c.bind(taskChange)))
}

/**
 * Deletes a task and its attachments.
 *
 * @security none
 */
export async function Delete(c: Context<"id">) {
  await store.remove(c.paramInt("id"))
  return c.noContent()
}
