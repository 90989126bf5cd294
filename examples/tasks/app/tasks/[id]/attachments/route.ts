import type { Context } from "fw"
import { goBack, messageOf, showAgain } from "../../../../lib/pages.ts"
import { store } from "../../../../lib/store.ts"
import { formOf, sentence } from "../../../../lib/task-form.ts"
import { attachUpload } from "../../../../lib/upload.ts"
import { Detail } from "../page.tpl.ts"

/** Attaches a file by the form on the page of a task. */
export async function Post(c: Context<"id">) {
  const task = store.get(c.paramInt("id"))
  try {
    await attachUpload(c)
  } catch (error) {
    const upload = sentence(messageOf(error))
    return showAgain(c, task.title, Detail(task, formOf(task), { upload }))
  }
  return goBack(c, { back: `/tasks/${task.id}?saved=file` })
}
