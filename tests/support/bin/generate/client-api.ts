/** The files of a project whose API has everything that a client must handle. */

const types = `/** A thing to do. */
export interface Task {
  readonly id: number
  /** What to do. */
  title: string
  state: "open" | "done"
  due: Date | null
  history: Change[]
  parent?: Task
  labels: Record<string, string>
  "odd-key": 1
}
export type Change =
  | { kind: "moved"; at: Date; note: string }
  | { kind: "noted"; at: string; note: string }
export type Tree = { at: Date; children: Tree[] }
export interface Page<T> { items: T[]; next?: string }
/** A name that the client's module uses itself. */
export interface Response { readonly ok: boolean; made: Date }
export interface Stamped {
  /** @format date-time */
  text: string
  pair: [Date, string?]
  byDay: Record<string, Date>
  nested: { deep: { when: Date }[] }
}
`

const task = `import { type Context, HttpError, notFound } from "fw"
import type { Task } from "../../../../lib/types.ts"

/** Returns one task.
 * @operationId get-task */
export function Get(c: Context<"id">) {
  if (c.paramInt("id") !== 7) throw notFound("no such task")
  const task: Task = {
    id: 7,
    title: "Read",
    state: "open",
    due: new Date(0),
    history: [
      { kind: "moved", at: new Date(1000), note: "2026-01-01T00:00:00Z" },
      { kind: "noted", at: "2026-01-01T00:00:00Z", note: "" },
    ],
    parent: { id: 1, title: "", state: "done", due: null, history: [], labels: {}, "odd-key": 1 },
    labels: { a: "2026-01-01T00:00:00Z" },
    "odd-key": 1,
  }
  return c.json(200, task)
}

/** Changes a task.
 * @operationId changeTask
 * @security bearer */
export async function Patch(c: Context<"id">) {
  if (c.paramInt("id") !== 7) throw notFound("no such task")
  const change = await c.bind<{ title?: string; due?: Date | null }>()
  if (change.title === "taken") throw new HttpError(409, "taken")
  if (c.header("authorization") !== "Bearer secret") return c.json(401, { who: "nobody" as const })
  return c.json(200, { title: change.title ?? "", due: String(change.due), trace: c.header("x-trace") })
}

/** @operationId removeTask
 * @deprecated Use archive. */
export function Delete(c: Context<"id">) {
  return c.noContent(204)
}
`

const more: Readonly<Record<string, string>> = {
  "app/api/tasks/route.ts": `import type { Context } from "fw"
import type { Page, Task } from "../../../lib/types.ts"
/** @operationId listTasks
 * @param q - Text to search for. */
export function Get(c: Context) {
  const page: Page<Task> = { items: [], next: JSON.stringify([c.query("q"), c.queryInt("page", 1), c.queryAll("tag"), c.cookie("theme")]) }
  return c.json(200, page)
}
`,
  "app/api/trees/route.ts": `import type { Context } from "fw"
import type { Response, Stamped, Tree } from "../../../lib/types.ts"
/** @operationId getTree */
export function Get(c: Context) {
  const tree: Tree = { at: new Date(0), children: [{ at: new Date(1), children: [] }] }
  return c.json(200, tree)
}
/** @operationId stamp */
export function Post(c: Context) {
  const at = new Date(0)
  const stamped: Stamped = { text: at.toISOString(), pair: [at], byDay: { today: at }, nested: { deep: [{ when: at }] } }
  const response: Response = { ok: true, made: at }
  return c.json(201, { stamped, response, none: [] as Date[] })
}
`,
  "app/api/files/[...path]/route.ts": `import type { Context } from "fw"
/** @operationId getFile */
export function Get(c: Context<"path">) {
  return c.string(200, c.param("path"))
}
/** @operationId putFile */
export async function Put(c: Context<"path">) {
  return c.blob(200, "application/octet-stream", await c.bytes())
}
`,
  "app/api/upload/route.ts": `import type { Context } from "fw"
/** @operationId upload */
export async function Post(c: Context) {
  const file = await c.formFile("document")
  const title = await c.formValue("title")
  return c.json(200, { name: file?.name, size: file?.size, title })
}
`,
  "app/api/sign-in/route.ts": `import type { Context } from "fw"
/** @operationId signIn */
export async function Post(c: Context) {
  const name = await c.formValue("name")
  return name === "ada" ? c.redirect(303, "/") : c.html(422, "<p>no such user</p>")
}
`,
  "app/api/events/route.ts": `import type { Context } from "fw"
/** @operationId watch */
export function Get(c: Context) {
  return c.sse(async (events) => {
    await events.send("first\\nsecond")
    await events.send({ event: "price", id: "42", data: { eur: 9.5 } })
    await events.closed
  })
}
`,
  "app/api/text/route.ts": `import type { Context } from "fw"
/** @operationId echo */
export async function Post(c: Context) {
  return c.string(200, (await c.text()).toUpperCase())
}
`,
  "app/api/odd/route.ts": `import type { Context } from "fw"
/** @operationId any-status */
export function Get(c: Context) {
  return c.json(c.queryInt("status", 200), { a: 1 })
}
/** @operationId any.status */
export function Put(c: Context) {
  return new globalThis.Response("<h1>gateway</h1>", { status: c.queryInt("status", 200), headers: { "content-type": "text/html" } })
}
`,
}

/** Every file of the project by its path. */
export const clientAPI: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "hard", "type": "module" }',
  "lib/types.ts": types,
  "app/api/tasks/[id]/route.ts": task,
  ...more,
}
