/** A form as a template shows it, before and after it was sent. */
import { describeType } from "../text.ts"

/**
 * The part of a `Form` that is the same whether it was valid or not: what a template takes.
 *
 * @example
 * const label = (form: ShownForm) => form.issues.name ?? "Your name"
 * label(newForm()) // → "Your name"
 */
export interface ShownForm {
  /** The text of each field, the first of several. */
  readonly values: Readonly<Record<string, string>>
  /** Every text of each field, for inputs that may be chosen several times. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** The first message about each field; under `""` one about the form as a whole. */
  readonly issues: Readonly<Record<string, string>>
}

/**
 * A form that nobody has sent yet.
 *
 * @param values what its fields show at first.
 * @throws TypeError for what is not an object of texts.
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

/** Returns an object without a prototype: a field may be named `constructor`. */
export function createBareRecord<T>(values: Readonly<Record<string, T>> = {}): Record<string, T> {
  return Object.assign(Object.create(null), values)
}
