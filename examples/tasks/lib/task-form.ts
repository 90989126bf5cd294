/** What a form for a task holds, and what is wrong with it, in words for people. */
import { HttpError, type StandardSchema } from "fw"
import type { Task, TaskInput } from "./store.ts"

export interface TaskFields {
  readonly title: string
  readonly note: string
  readonly due: string
}

/** By field; `form` for what is wrong with none of them. */
export type Problems = Partial<Record<keyof TaskFields | "form", string>>

export interface TaskForm {
  readonly fields: TaskFields
  readonly problems: Problems
}

const words = {
  title: "A task needs a title, of 120 characters at most.",
  note: "A note has 4000 characters at most.",
  due: "This is not a day. One looks like 2027-03-31.",
} as const

export const emptyForm: TaskForm = { fields: { title: "", note: "", due: "" }, problems: {} }

export function formOf({ title, note, due }: Task): TaskForm {
  return { fields: { title, note, due: due ?? "" }, problems: {} }
}

/**
 * Gives what was entered to a function that keeps it.
 *
 * @returns the form to show again, or null when it was taken.
 */
export async function take(
  given: Readonly<Record<string, string>>,
  schema: StandardSchema<TaskInput>,
  keep: (input: TaskInput) => Promise<unknown>,
): Promise<TaskForm | null> {
  const { title = "", note = "", due = "" } = given
  const fields = { title, note, due }
  const result = await schema["~standard"].validate(fields)
  if (result.issues) {
    const problems: Problems = {}
    for (const { path } of result.issues) {
      const name = path?.[0]
      if (name === "title" || name === "note" || name === "due") problems[name] = words[name]
    }
    return { fields, problems }
  }
  try {
    await keep(result.value)
    return null
  } catch (error) {
    if (error instanceof HttpError && error.status === 409)
      return { fields, problems: { form: sentence(error.message) } }
    throw error
  }
}

/** Messages start small, as they do in JSON. */
export function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}
