import { type Context, HttpError } from "fw"
import { goBack, isFor, showAgain } from "../../../../lib/pages.ts"
import { limits, store } from "../../../../lib/store.ts"
import { toForm } from "../../../../lib/task-form.ts"
import { attachUpload } from "../../../../lib/upload.ts"
import { Detail, Files } from "../page.tpl.ts"

const messages: Readonly<Record<number, string>> = {
  400: "Choose a file first. It must not be empty.",
  409: `A task can have at most ${limits.attachments} files. Delete one first.`,
  415: "Only text, PDF, PNG, JPEG, GIF and WebP files can be attached.",
}

/**
 * Attaches a file with the form on the page of a task.
 *
 * @security none
 */
export async function Post(c: Context<"id">) {
  const task = store.get(c.paramInt("id"))
  try {
    await attachUpload(c)
  } catch (error) {
    const upload = error instanceof HttpError && messages[error.status]
    if (!upload) throw error
    if (isFor(c, "attachments")) return c.html(422, Files(task, upload))
    return showAgain(c, task.title, Detail(task, toForm(task), { upload }))
  }
  return goBack(c, { back: `/tasks/${task.id}?saved=file` })
}
