/** The schema of a new form in a project without a schema library: a Standard Schema in plain TypeScript. */
import { type FieldKind, type FormField, isNumber, messageOf } from "./form-fields.ts"

/** The code that reads and checks a kind of field. The expressions take the source of what was sent, or of the field. */
interface PlainField {
  readonly type: string
  readonly read: (sent: string) => string
  /** Undefined if every value is right. */
  readonly isRight?: (field: string, sent: string) => string
}

const text: PlainField = {
  type: "string",
  read: (sent) => `textOf(${sent}).trim()`,
  isRight: (field) => `${field} !== ""`,
}

const kinds: Readonly<Record<FieldKind, PlainField>> = {
  text,
  long: text,
  email: { ...text, isRight: (field) => `/^[^\\s@]+@[^\\s@]+$/.test(${field})` },
  number: {
    type: "number",
    read: (sent) => `Number(textOf(${sent}))`,
    isRight: (_field, sent) => `${isNumber}.test(textOf(${sent}))`,
  },
  checkbox: { type: "boolean", read: (sent) => `${sent} === "on"` },
  password: {
    type: "string",
    read: (sent) => `textOf(${sent})`,
    isRight: (field) => `${field}.length >= 12`,
  },
  file: {
    type: "File",
    read: (sent) => `${sent} instanceof File ? ${sent} : new File([], "")`,
    isRight: (field) => `${field}.size > 0`,
  },
}

/** Returns the text of `schema.ts`. @param type name of the type of the fields. */
export function plainSchema(type: string, fields: readonly FormField[]): string {
  const types = fields.map(({ name, kind }) => `  readonly ${name}: ${kinds[kind].type}\n`)
  const reads = fields.map(({ name, kind }) => `        ${name}: ${kinds[kind].read(`sent.${name}`)},\n`)
  const checks = fields.map(({ name, kind }) => {
    const isRight = kinds[kind].isRight?.(`fields.${name}`, `sent.${name}`)
    return kind === "checkbox" || isRight === undefined
      ? ""
      : `      check(${isRight}, "${name}", ${messageOf(kind)})\n`
  })
  return `${top(type, types.join(""))}${textOf(fields)}${validate(type, reads.join(""), checks.join(""))}`
}

function top(type: string, types: string): string {
  return `import type { StandardSchema } from "fw"

/** The fields of the form. */
export interface ${type} {
${types}}
`
}

/** Returns the helper for fields with text, if there are any. */
function textOf(fields: readonly FormField[]): string {
  if (fields.every(({ kind }) => kind === "file" || kind === "checkbox")) return ""
  return `
/** Returns the text of a field; "" if it was not sent. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
`
}

function validate(type: string, reads: string, checks: string): string {
  return `
/** Reads and checks the fields. A library such as zod would do: any Standard Schema fits here. */
export const schema: StandardSchema<${type}> = {
  "~standard": {
    version: 1,
    vendor: "app",
    validate(value) {
      const sent = value as Readonly<Record<string, unknown>>
      const fields: ${type} = {
${reads}      }
      const issues: { path: string[]; message: string }[] = []
      function check(isRight: boolean, name: keyof ${type}, message: string) {
        if (!isRight) issues.push({ path: [name], message })
      }
${checks}      return issues.length > 0 ? { issues } : { value: fields }
    },
  },
}
`
}
