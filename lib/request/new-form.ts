/** The data of a form for a template, before and after the form was sent. */
import { describeType } from "../text.ts"

/**
 * What a template needs to show a form. It has the same members whether the form is valid or not.
 *
 * @example
 * const label = (form: ShownForm) => form.issues.name ?? "Your name"
 * label(newForm()) // → "Your name"
 */
export interface ShownForm {
  /** The text of each field. If a field was sent several times, the first text. */
  readonly values: Readonly<Record<string, string>>
  /** All texts of each field, for inputs that allow several choices. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** The first message about each field. Under `""` is a message about the whole form. */
  readonly issues: Readonly<Record<string, string>>
}

/**
 * Creates the data of a form that nobody has sent yet.
 *
 * @param values the texts that the fields show at first.
 * @throws TypeError for a value that is not an object with texts.
 * @example newForm({ country: "NL" }).values.country // → "NL"
 */
export function newForm(values: Readonly<Record<string, string>> = {}): ShownForm & { readonly ok: false } {
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw new TypeError(`newForm() takes an object with the text of each field, not ${describeType(values)}`)
  const lists: Record<string, readonly string[]> = createBareRecord()
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string")
      throw new TypeError(`newForm() takes a text for the field ${JSON.stringify(name)}, not ${describeType(value)}`)
    lists[name] = [value]
  }
  return { ok: false, values: createBareRecord(values), lists, issues: createBareRecord() }
}

/** Returns an object without a prototype, because a field may have a name such as `constructor`. */
export function createBareRecord<T>(values: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.assign(Object.create(null), values)
}
