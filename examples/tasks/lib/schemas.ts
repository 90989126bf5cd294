/** The schemas of request bodies. */
import { createSchema, type Schema } from "./fields.ts"
import type { TaskInput } from "./store.ts"

/** The fields of a new task, as a client sends them. */
interface NewTask {
  title: string
  note?: string
  /** A day such as `2026-03-31`; null if there is none. */
  due?: string | null
}

export const newTask: Schema<TaskInput, NewTask> = createSchema((fields) => ({
  title: fields.text("title", { min: 1, max: 120 }),
  note: fields.text("note", { max: 4000, multiline: true, absent: "" }),
  due: fields.day("due", { absent: null }),
}))

/** The changed fields of a task. A missing field keeps its value. */
export const taskChange = createSchema((fields) => {
  const title = fields.text("title", { min: 1, max: 120, absent: undefined })
  const note = fields.text("note", { max: 4000, multiline: true, absent: undefined })
  const due = fields.day("due", { absent: undefined })
  return {
    ...(title === undefined ? {} : { title }),
    ...(note === undefined ? {} : { note }),
    ...(due === undefined ? {} : { due }),
  }
})

export const themes = ["auto", "light", "dark"] as const

export const preferences = createSchema((fields) => ({ theme: fields.choice("theme", themes) }))

export const settings = createSchema((fields) => ({
  name: fields.text("name", { min: 1, max: 60 }),
  maintenance: fields.flag("maintenance"),
}))
