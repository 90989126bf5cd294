import type { Context } from "fw"
import { store, type Task } from "../../../../lib/store.ts"

/**
 * Exports all tasks in the format of todo.txt, streamed line by line, so that the first arrives before the
 * last is written.
 */
export function Get(c: Context) {
  c.setHeader("Content-Disposition", 'attachment; filename="todo.txt"')
  return c.blob(200, "text/plain; charset=utf-8", streamLines(store.list()))
}

function streamLines(tasks: readonly Task[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const remaining = tasks.values()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = remaining.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(`${formatLine(value)}\n`))
    },
  })
}

function formatLine({ title, due, created, finished }: Task): string {
  const day = (time: string) => time.slice(0, 10)
  const start = finished ? `x ${day(finished)} ${day(created)}` : day(created)
  return `${start} ${title}${due ? ` due:${due}` : ""}`
}
