/** The field for the body of a request: a text, a file, or a form with an input for each property. */
import type { Api, Operation, Schema } from "./document.ts"
import { h } from "./dom.ts"
import { createExample } from "./example.ts"
import { mergeAllOf } from "./merge-all-of.ts"
import { formatTypeName } from "./schema.ts"

/** A field, and what was entered in it. */
export interface BodyField {
  readonly element: HTMLElement
  /** Returns the body with its content type; null if there is none. */
  read(): Promise<Blob | null>
}

/** Bodies that the user has entered, by operation. They stay while another operation is shown. */
const enteredBodies = new Map<string, string>()

/** Returns the field for an operation's body; null if the operation has no body. */
export function createBodyField(api: Api, operation: Operation): BodyField | null {
  const types = Object.keys(operation.body?.content ?? {})
  if (types.length === 0) return null
  const slot = h("div")
  let field = createFieldForType(api, operation, types[0] as string)
  slot.append(field.element)
  const choose = (event: Event) => {
    field = createFieldForType(api, operation, (event.target as HTMLSelectElement).value)
    slot.replaceChildren(field.element)
  }
  const choice =
    types.length > 1
      ? h(
          "select",
          { "aria-label": "Content type", onchange: choose },
          types.map((type) => h("option", {}, type)),
        )
      : h("span", { class: "quiet" }, types[0])
  const title = operation.body?.required ? "Body" : "Body (optional)"
  const element = h("fieldset", {}, h("legend", {}, `${title} `, choice), slot)
  return { element, read: () => field.read() }
}

function createFieldForType(api: Api, operation: Operation, type: string): BodyField {
  const { schema, example } = operation.body?.content[type] ?? {}
  if (/^multipart\/form-data|x-www-form-urlencoded/.test(type)) return createFormField(api, schema, type)
  if (/octet-stream|^image\/|^audio\/|^video\/|zip|pdf/.test(type)) return createFileField(type)
  const key = `${operation.id} ${type}`
  const either = findAlternatives(api, schema)
  const field = createTextField(key, type, createStartText(api, type, schema, example))
  if (!/json/.test(type) || either.length < 2) return field
  // Choosing an example replaces the text. Without that, the user's own text stays.
  const choose = (event: Event) => {
    const one = either[Number((event.target as HTMLSelectElement).value)]
    field.write(JSON.stringify(createExample(api, one), null, 2))
  }
  const options = either.map((one, i) => h("option", { value: i }, formatTypeName(one)))
  const choice = h(
    "label",
    { class: "choice" },
    h("span", {}, "Alternative"),
    h("select", { onchange: choose }, options),
  )
  return { element: h("div", {}, choice, field.element), read: field.read }
}

/** Returns the alternatives of a body's schema, except null. */
function findAlternatives(api: Api, schema: Schema | undefined): readonly Schema[] {
  const { oneOf, anyOf } = schema ? api.resolve<Schema>(schema) : {}
  return (oneOf ?? anyOf ?? []).filter((one) => one.type !== "null")
}

function createStartText(api: Api, type: string, schema: Schema | undefined, example: unknown): string {
  const value = example ?? createExample(api, schema)
  if (/json/.test(type)) return JSON.stringify(value, null, 2)
  return typeof value === "string" ? value : ""
}

function createTextField(key: string, type: string, start: string): BodyField & { write(text: string): void } {
  const text = enteredBodies.get(key) ?? start
  const keep = () => enteredBodies.set(key, input.value)
  const rows = Math.min(20, Math.max(4, text.split("\n").length + 1))
  const input = h("textarea", { rows, spellcheck: "false", "aria-label": "Body", oninput: keep }, text)
  return {
    element: input,
    read: async () => (input.value === "" ? null : new Blob([input.value], { type })),
    write(written) {
      input.value = written
      input.rows = Math.min(20, Math.max(4, written.split("\n").length + 1))
      keep()
    },
  }
}

function createFileField(type: string): BodyField {
  const input = h("input", { type: "file", "aria-label": "File" })
  return {
    element: input,
    async read() {
      const file = input.files?.[0]
      return file ? new Blob([await file.arrayBuffer()], { type: file.type || type }) : null
    },
  }
}

/**
 * Returns the field for a form, with an input for each property. A list of files allows several files, and a list of
 * texts one text per line.
 */
function createFormField(api: Api, schema: Schema | undefined, type: string): BodyField {
  const { properties, required } = mergeAllOf(api, schema ?? {})
  const inputs = Object.entries(properties).map(([name, one]) => {
    const resolvedSchema = api.resolve<Schema>(one)
    const item = resolvedSchema.items ? api.resolve<Schema>(resolvedSchema.items) : null
    if (isFileSchema(item ?? resolvedSchema)) return h("input", { name, type: "file", multiple: item !== null })
    if (item) return h("textarea", { name, rows: 3, placeholder: "one value per line" })
    return h("input", { name, type: resolvedSchema.format === "password" ? "password" : "text", autocomplete: "off" })
  })
  const labels = inputs.map((input) => {
    const mark = required.has(input.name) ? h("span", { class: "quiet" }, " required") : null
    return h("div", { class: "field" }, h("label", {}, h("code", {}, input.name), mark, input))
  })
  return {
    element: h("div", {}, labels),
    async read() {
      const form = new FormData()
      for (const input of inputs) {
        const files = input instanceof HTMLInputElement ? input.files : null
        const values = input instanceof HTMLTextAreaElement ? input.value.split(/\r?\n/) : [input.value]
        for (const value of files ?? values) if (value !== "") form.append(input.name, value)
      }
      const texts = [...form].filter((pair): pair is [string, string] => typeof pair[1] === "string")
      const isMultipart = type.startsWith("multipart/")
      return new Response(isMultipart ? form : new URLSearchParams(texts)).blob()
    },
  }
}

function isFileSchema({ format, contentMediaType }: Schema): boolean {
  return format === "binary" || contentMediaType !== undefined
}
