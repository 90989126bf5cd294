/** Generates the schema of a form for a project without a schema library: a Standard Schema in plain TypeScript. */
import { type FieldKind, type FormField, numberPattern, renderMessage } from "./form-fields.ts"

/**
 * The code that reads and checks a kind of field. Parameters are JavaScript code for the sent value or the field.
 */
interface PlainField {
  readonly type: string
  readonly renderRead: (sent: string) => string
  /** Returns the condition for a valid value; undefined if every value is valid. */
  readonly renderTest?: (field: string, sent: string) => string
}

const textField: PlainField = {
  type: "string",
  renderRead: (sent) => `textOf(${sent}).trim()`,
  renderTest: (field) => `${field} !== ""`,
}

const plainFields: Readonly<Record<FieldKind, PlainField>> = {
  text: textField,
  long: textField,
  email: { ...textField, renderTest: (field) => `/^[^\\s@]+@[^\\s@]+$/.test(${field})` },
  number: {
    type: "number",
    renderRead: (sent) => `Number(textOf(${sent}))`,
    renderTest: (_field, sent) => `${numberPattern}.test(textOf(${sent}))`,
  },
  checkbox: { type: "boolean", renderRead: (sent) => `${sent} === "on"` },
  password: {
    type: "string",
    renderRead: (sent) => `textOf(${sent})`,
    renderTest: (field) => `${field}.length >= 12`,
  },
  file: {
    type: "File",
    renderRead: (sent) => `${sent} instanceof File ? ${sent} : new File([], "")`,
    renderTest: (field) => `${field}.size > 0`,
  },
}

/**
 * Returns the text of `schema.ts`.
 *
 * @param type the name for the type of the fields.
 */
export function renderPlainSchema(type: string, fields: readonly FormField[]): string {
  const types = fields.map(({ name, kind }) => `  readonly ${name}: ${plainFields[kind].type}\n`)
  const reads = fields.map(({ name, kind }) => `        ${name}: ${plainFields[kind].renderRead(`sent.${name}`)},\n`)
  const checks = fields.map(({ name, kind }) => {
    const test = plainFields[kind].renderTest?.(`fields.${name}`, `sent.${name}`)
    return kind === "checkbox" || test === undefined ? "" : `      check(${test}, "${name}", ${renderMessage(kind)})\n`
  })
  return `${renderHead(type, types.join(""))}${renderTextHelper(fields)}${renderSchema(type, reads.join(""), checks.join(""))}`
}

function renderHead(type: string, types: string): string {
  return `import type { StandardSchema } from "fw"

/** The fields of the form. */
export interface ${type} {
${types}}
`
}

/** Returns the helper function for text fields, if there are any. */
function renderTextHelper(fields: readonly FormField[]): string {
  if (fields.every(({ kind }) => kind === "file" || kind === "checkbox")) return ""
  return `
/** Returns the text of a field; "" if it was not sent. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : ""
}
`
}

function renderSchema(type: string, reads: string, checks: string): string {
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
