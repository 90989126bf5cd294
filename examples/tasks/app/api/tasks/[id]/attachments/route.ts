import { badRequest, type Context, HttpError } from "fw"
import { backToPage } from "../../../../../lib/answers.ts"
import { store } from "../../../../../lib/store.ts"

const taken = /^(?:text\/plain|application\/pdf|image\/(?:png|jpeg|gif|webp))$/

/** Lists the attachments of a task. */
export function Get(c: Context<"id">) {
  return c.json(200, { attachments: store.get(c.paramInt("id")).attachments })
}

/** Attaches the file of a form, in its field `file`. A browser is led back to the page. */
export async function Post(c: Context<"id">) {
  const task = store.get(c.paramInt("id"))
  const file = await c.formFile("file")
  if (!file || file.size === 0) throw badRequest('the form has no file in its field "file"')
  const type = file.type.replace(/;.*/, "")
  if (!taken.test(type)) throw new HttpError(415, "text, PDF, PNG, JPEG, GIF and WebP are taken")
  const bytes = new Uint8Array(await file.arrayBuffer())
  const attachment = await store.attach(task.id, { name: plainName(file.name), type }, bytes)
  if (c.header("accept").includes("text/html")) return backToPage(c)
  c.setHeader("Location", `/api/tasks/${task.id}/attachments/${attachment.id}`)
  return c.json(201, attachment)
}

/** The last part of a path, which some clients send, without what could confuse a terminal or a file system. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) as string
  return last.replace(/\p{C}/gu, "").slice(0, 100) || "file"
}
