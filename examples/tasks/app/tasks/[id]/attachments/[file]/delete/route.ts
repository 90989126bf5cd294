import type { Context } from "fw"
import { goBack } from "../../../../../../lib/pages.ts"
import { store } from "../../../../../../lib/store.ts"

/**
 * Deletes an attachment with the button on the page of a task.
 *
 * @security none
 */
export async function Post(c: Context<"id" | "file">) {
  const id = c.paramInt("id")
  await store.detach(id, store.getAttachment(id, c.paramInt("file")))
  return goBack(c, { back: `/tasks/${id}?saved=gone` })
}
