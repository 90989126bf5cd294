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
export function readFilter(c: Context): Filter {
  const state = states.find((name) => name === c.query("state"))
  if (state === undefined) throw badRequest("state is open or done")
  return { state, q: c.query("q").trim() }
}

export interface Board {
  readonly filter: Filter
  readonly open: readonly Task[]
  readonly done: readonly Task[]
  /** The numbers of all tasks and of the open ones, without a filter. */
  readonly total: number
  readonly totalOpen: number
}

/** Finds the tasks that contain the text of the filter: open ones by due date, finished ones latest first. */
export function createBoard(filter: Filter): Board {
  const all = store.list()
  const matches = all.filter(contains(filter.q))
  return {
    filter,
    open: matches.filter((task) => task.finished === null).sort(byDue),
    done: matches.filter((task) => task.finished !== null).sort(byFinished),
    total: all.length,
    totalOpen: all.filter(({ finished }) => finished === null).length,
  }
}

export function contains(q: string): (task: Task) => boolean {
  const text = q.toLowerCase()
  return ({ title, note }) => `${title}\n${note}`.toLowerCase().includes(text)
}

/** Returns the URL of a list, relative to the site. */
export function formatAddress({ state, q }: Filter): string {
  const query = new URLSearchParams({ ...(q && { q }), ...(state && { state }) }).toString()
  return query ? `/?${query}` : "/"
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
// A tilde sorts after every digit, so tasks without a due date come last.
const byDue = (a: Task, b: Task) => compare(a.due ?? "~", b.due ?? "~") || a.id - b.id
const byFinished = (a: Task, b: Task) => compare(b.finished ?? "", a.finished ?? "") || b.id - a.id
