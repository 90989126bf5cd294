import type { Context } from "fw"
import { store } from "../../../../../../lib/store.ts"

/** Downloads an attachment. */
export async function Get(c: Context<"id" | "file">) {
  const attachment = store.getAttachment(c.paramInt("id"), c.paramInt("file"))
  const bytes = await store.readAttachment(attachment)
  // Browsers must download the file and not show it here, because its content comes from a user.
  c.setHeader("Content-Disposition", `attachment; filename*=UTF-8''${encodeName(attachment.name)}`)
  c.setHeader("X-Content-Type-Options", "nosniff")
  return c.blob(200, attachment.type, bytes)
}

/**
 * Deletes an attachment.
 *
 * @security none
 */
export async function Delete(c: Context<"id" | "file">) {
  const id = c.paramInt("id")
  await store.detach(id, store.getAttachment(id, c.paramInt("file")))
  return c.noContent()
}

/** Encodes a file name. RFC 8187 §3.2.1 allows fewer characters than `encodeURIComponent` leaves. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
