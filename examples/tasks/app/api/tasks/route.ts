import type { Context } from "fw"
import { contains, readFilter } from "../../../lib/board.ts"
import { newTask } from "../../../lib/schemas.ts"
import { store } from "../../../lib/store.ts"

/** Offered to language models, at /mcp. */
export const mcp = ["Get", "Post"]

/** Lists the tasks, oldest first. Query: `state` is `open` or `done`, `q` is a text to search for. */
export function Get(c: Context) {
  const { state, q } = readFilter(c)
  const found = store.list().filter(contains(q))
  const tasks = found.filter(({ finished }) => state === "" || (state === "done") === (finished !== null))
  return c.json(200, { tasks, total: tasks.length })
}

/**
 * Adds a task.
 *
 * @security none
 */
export async function Post(c: Context) {
  const task = await store.add(await c.bind(newTask))
  c.setHeader("Location", `/api/tasks/${task.id}`)
  return c.json(201, task)
}
