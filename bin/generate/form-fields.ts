/** Parses the fields of a form, as `fw generate form --fields` takes them. */
import { newFault } from "../messages/new.ts"

/** Kinds of fields. */
export const fieldKinds = ["text", "long", "email", "number", "checkbox", "password", "file"] as const

/** The kind of a field, which decides its input, its schema and its value in the test. */
export type FieldKind = (typeof fieldKinds)[number]

/** A field of a form. */
export interface FormField {
  /** The field's name, which is a JavaScript identifier. */
  readonly name: string
  readonly kind: FieldKind
  /** The label. `first_name` and `firstName` become `First name`. */
  readonly label: string
}

/** The fields of a form if none are given. */
const defaultFields = ["name", "email", "message:long"]

/**
 * Parses fields: `name` or `name:kind`. A field without a kind is of the kind that its name suggests, such as
 * `email`, otherwise a text.
 *
 * @throws FwError `fields` for an invalid name, an unknown kind, and two names with the same label.
 */
export function parseFields(texts: readonly string[]): FormField[] {
  const namesByLabel = new Map<string, string>()
  return (texts.length > 0 ? texts : defaultFields).map((text) => {
    const [name = "", kindText, ...more] = text.split(":")
    if (more.length > 0 || !/^[A-Za-z]\w*$/.test(name)) throw newFault("fields", [text])
    const label = toLabel(name)
    const other = namesByLabel.get(label)
    if (other === name) throw newFault("fields.twice", [name])
    if (other !== undefined) throw newFault("fields.alike", [other, name, label])
    namesByLabel.set(label, name)
    const kind = fieldKinds.find((fieldKind) => fieldKind === (kindText ?? name))
    if (kindText !== undefined && !kind) throw newFault("fields.kind", [name, kindText, fieldKinds])
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

/** The messages for an empty or invalid field. A checkbox is always valid. */
const fieldMessages: Readonly<Record<Exclude<FieldKind, "checkbox">, string>> = {
  text: "Fill in this field.",
  long: "Fill in this field.",
  email: "Write an email address, such as ada@example.com.",
  number: "Write a number.",
  password: "Use 12 characters or more.",
  file: "Choose a file.",
}

/** Returns the message for a kind of field as a JavaScript literal. */
export function renderMessage(kind: keyof typeof fieldMessages): string {
  return JSON.stringify(fieldMessages[kind])
}

/** JavaScript code of a pattern for numbers. It is needed because `Number("")` is 0. */
export const numberPattern = "/^-?\\d+(?:\\.\\d+)?$/"
