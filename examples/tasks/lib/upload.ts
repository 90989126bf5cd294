/** Stores the file of an upload form, for the API and the pages. */
import { badRequest, type Context, HttpError } from "fw"
import { type Attachment, store } from "./store.ts"

/** File types that may be attached, as in the attribute `accept` of the form. */
export const acceptedTypes = "text/plain,application/pdf,image/png,image/jpeg,image/gif,image/webp"

/** Attaches the file in the field `file`. @throws HttpError 400, 404, 409 or 415. */
export async function attachUpload(c: Context<"id">): Promise<Attachment> {
  const task = store.get(c.paramInt("id"))
  const file = await c.formFile("file")
  if (!file || file.size === 0) throw badRequest('the form has no file in its field "file"')
  const type = file.type.replace(/;.*/, "")
  if (!acceptedTypes.split(",").includes(type))
    throw new HttpError(415, "text, PDF, PNG, JPEG, GIF and WebP are accepted")
  const bytes = new Uint8Array(await file.arrayBuffer())
  return store.attach(task.id, { name: cleanName(file.name), type }, bytes)
}

/**
 * Returns the last part of a path, which some clients send, without characters that could confuse a terminal
 * or a file system.
 */
function cleanName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) as string
  return last.replace(/\p{C}/gu, "").slice(0, 100) || "file"
}
