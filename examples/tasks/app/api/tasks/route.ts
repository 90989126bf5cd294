import { badRequest, type Context } from "fw"
import { backToPage, isForm, readInput } from "../../../lib/answers.ts"
import { newTask } from "../../../lib/schemas.ts"
import { store, type Task } from "../../../lib/store.ts"
import { list } from "../../../lib/view.ts"

/** Lists the tasks, oldest first. Query: `state` is `open` or `done`, `q` a text that they contain. */
export function Get(c: Context) {
  const tasks = store.list().filter(chosenBy(c))
  // One address, two answers: a cache has to keep them apart.
  c.appendHeader("Vary", "HX-Request")
  return c.isHTMX ? c.html(200, list(tasks)) : c.json(200, { tasks, total: tasks.length })
}

/** Adds a task. */
export async function Post(c: Context) {
  const task = await store.add(await readInput(c, newTask))
  if (c.isHTMX) return c.html(201, list(store.list()))
  if (isForm(c)) return backToPage(c)
  c.setHeader("Location", `/api/tasks/${task.id}`)
  return c.json(201, task)
}

function chosenBy(c: Context): (task: Task) => boolean {
  const state = c.query("state")
  if (!["", "open", "done"].includes(state)) throw badRequest("state is open or done")
  const text = c.query("q").toLowerCase()
  return ({ title, note, finished }) =>
    (state === "" || (state === "done") === (finished !== null)) &&
    `${title}\n${note}`.toLowerCase().includes(text)
}
