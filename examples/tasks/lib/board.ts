/** The list of tasks with its filter and order, for the API and the pages. */
import { badRequest, type Context } from "fw"
import { store, type Task } from "./store.ts"

export const states = ["", "open", "done"] as const
export type State = (typeof states)[number]

export interface Filter {
  readonly state: State
  readonly q: string
}

/** Parses the filter of a list. @throws HttpError 400 for an unknown state. */
export function filterOf(c: Context): Filter {
  const state = states.find((known) => known === c.query("state"))
  if (state === undefined) throw badRequest("state is open or done")
  return { state, q: c.query("q").trim() }
}

export interface Board {
  readonly filter: Filter
  readonly open: readonly Task[]
  readonly done: readonly Task[]
  /** The number of tasks without a filter. `left` is the number of open ones among them. */
  readonly total: number
  readonly left: number
}

/** Returns the tasks that contain the text: open ones by due date, then finished ones, latest first. */
export function boardOf(filter: Filter): Board {
  const all = store.list()
  const found = all.filter(contains(filter.q))
  return {
    filter,
    open: found.filter((task) => task.finished === null).sort(byDue),
    done: found.filter((task) => task.finished !== null).sort(byFinished),
    total: all.length,
    left: all.filter(({ finished }) => finished === null).length,
  }
}

export function contains(q: string): (task: Task) => boolean {
  const text = q.toLowerCase()
  return ({ title, note }) => `${title}\n${note}`.toLowerCase().includes(text)
}

/** Returns the URL of a list. */
export function addressOf({ state, q }: Filter): string {
  const query = new URLSearchParams({ ...(q && { q }), ...(state && { state }) }).toString()
  return query ? `/?${query}` : "/"
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
// A tilde sorts after every digit, so tasks without a due date come last.
const byDue = (a: Task, b: Task) => compare(a.due ?? "~", b.due ?? "~") || a.id - b.id
const byFinished = (a: Task, b: Task) => compare(b.finished ?? "", a.finished ?? "") || b.id - a.id
