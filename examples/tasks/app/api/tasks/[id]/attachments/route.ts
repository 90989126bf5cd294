import type { Context } from "fw"
import { store } from "../../../../../lib/store.ts"
import { attachUpload } from "../../../../../lib/upload.ts"

/** Lists the attachments of a task. */
export function Get(c: Context<"id">) {
  return c.json(200, { attachments: store.get(c.paramInt("id")).attachments })
}

/**
 * Attaches the file in the form field `file`.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  const attachment = await attachUpload(c)
  c.setHeader("Location", `/api/tasks/${c.paramInt("id")}/attachments/${attachment.id}`)
  return c.json(201, attachment)
}
