/** The fields of a task form, and its error messages. */
import { HttpError, type StandardSchema } from "fw"
import type { Task, TaskInput } from "./store.ts"

export interface TaskFields {
  readonly title: string
  readonly note: string
  readonly due: string
}

/** Messages by field. `form` has a message that concerns no single field. */
export type Problems = Partial<Record<keyof TaskFields | "form", string>>

export interface TaskForm {
  readonly fields: TaskFields
  readonly problems: Problems
}

const messages = {
  title: "A task needs a title of at most 120 characters.",
  note: "A note can have at most 4000 characters.",
  due: "This is not a day. Write it like 2027-03-31.",
} as const

export const emptyForm: TaskForm = { fields: { title: "", note: "", due: "" }, problems: {} }

export function toForm({ title, note, due }: Task): TaskForm {
  return { fields: { title, note, due: due ?? "" }, problems: {} }
}

/**
 * Validates the fields of a form and passes them to a function that saves them.
 *
 * @returns the form to show again, or null if it was saved.
 */
export async function saveForm(
  input: Readonly<Record<string, string>>,
  schema: StandardSchema<TaskInput>,
  save: (task: TaskInput) => Promise<unknown>,
): Promise<TaskForm | null> {
  const { title = "", note = "", due = "" } = input
  const fields = { title, note, due }
  const result = await schema["~standard"].validate(fields)
  if (result.issues) {
    const problems: Problems = {}
    for (const { path } of result.issues) {
      const name = path?.[0]
      if (name === "title" || name === "note" || name === "due") problems[name] = messages[name]
    }
    return { fields, problems }
  }
  try {
    await save(result.value)
    return null
  } catch (error) {
    if (error instanceof HttpError && error.status === 409)
      return { fields, problems: { form: toSentence(error.message) } }
    throw error
  }
}

/** Turns a message of the API, which starts in lower case and has no period, into a sentence. */
export function toSentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}
