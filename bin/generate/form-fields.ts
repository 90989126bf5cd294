/** The fields of a new form: their names, kinds and labels, as `fw generate form --fields` takes them. */
import { newFault } from "../messages/new.ts"

/** Kinds of fields. */
export const fieldKinds = ["text", "long", "email", "number", "checkbox", "password", "file"] as const

/** The kind of a field. It decides its input, its schema and the value of its test. */
export type FieldKind = (typeof fieldKinds)[number]

/** A field of a form. */
export interface FormField {
  /** An identifier. */
  readonly name: string
  readonly kind: FieldKind
  /** `first_name` and `firstName` are `First name`. */
  readonly label: string
}

/** The fields of a form that nobody described. */
const defaultFields = ["name", "email", "message:long"]

/**
 * Parses fields: `name`, or `name:kind`. A field without a kind has the kind of its name, such as `email`, or is a
 * text.
 *
 * @throws FwError `fields` for an invalid name, an unknown kind, and two names with the same label.
 */
export function parseFields(given: readonly string[]): FormField[] {
  const seen = new Map<string, string>()
  return (given.length > 0 ? given : defaultFields).map((text) => {
    const [name = "", asked, ...more] = text.split(":")
    if (more.length > 0 || !/^[A-Za-z]\w*$/.test(name)) throw newFault("fields", [text])
    const label = toLabel(name)
    const other = seen.get(label)
    if (other === name) throw newFault("fields.twice", [name])
    if (other !== undefined) throw newFault("fields.alike", [other, name, label])
    seen.set(label, name)
    const kind = fieldKinds.find((known) => known === (asked ?? name))
    if (asked !== undefined && !kind) throw newFault("fields.kind", [name, asked, fieldKinds])
    return { name, kind: kind ?? "text", label }
  })
}

function toLabel(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/_+/g, " ")
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Messages about a field that is empty or wrong. A checkbox is never wrong. */
const fieldMessages: Readonly<Record<Exclude<FieldKind, "checkbox">, string>> = {
  text: "Fill in this field.",
  long: "Fill in this field.",
  email: "Write an email address, such as ada@example.com.",
  number: "Write a number.",
  password: "Use 12 characters or more.",
  file: "Choose a file.",
}

/** Returns the message about a kind of field, as source text. */
export function renderMessage(kind: keyof typeof fieldMessages): string {
  return JSON.stringify(fieldMessages[kind])
}

/** The source of an expression for a number. It is checked first, because `Number("")` is 0. */
export const numberPattern = "/^-?\\d+(?:\\.\\d+)?$/"
