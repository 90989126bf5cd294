/** Generates the page of a form, with labels for the fields and messages about them. */
import type { FieldKind, FormField } from "./form-fields.ts"

/** The facts on which the page depends. */
export interface FormPageOptions {
  readonly title: string
  readonly fields: readonly FormField[]
  /** True if the project has the styles of `fw new`. */
  readonly hasStyles: boolean
}

/** The classes for a project with the styles of `fw new`. */
const classes = {
  card: "card mx-auto w-full max-w-xl p-6 sm:p-8",
  heading: "text-2xl font-semibold tracking-tight",
  form: "mt-6 grid gap-5",
  label: "mb-1.5 block font-medium",
  box: "flex items-center gap-3",
  tick: "size-5 accent-accent",
  button: "button button-main",
  input: "input",
  done: "notice mx-auto w-full",
  problem: "problem",
  issue: "mt-1.5 text-sm text-danger",
} as const

/** Returns the text of `page.tpl`. */
export function renderFormPage({ title, fields, hasStyles }: FormPageOptions): string {
  const renderClass = (name: keyof typeof classes) => (hasStyles ? ` class="${classes[name]}"` : "")
  const multipart = fields.some(({ kind }) => kind === "file") ? ' enctype="multipart/form-data"' : ""
  const [open, close] = hasStyles ? [`  <div${renderClass("card")}>\n`, "  </div>\n"] : ["", ""]
  const content = `<h1${renderClass("heading")}>{title}</h1>
{if (Object.keys(form.issues).length > 0) {
  <p role="alert"${renderClass("problem")}>{form.issues[""] ?? "Nothing was sent. See the fields with a message."}</p>
}}
<form method="post"${multipart}${renderClass("form")}>
${indent(fields.map((field) => renderField(field, hasStyles)).join(""), 2)}  <button${renderClass("button")}>Send</button>
</form>
`
  return `import { type Context, newForm, type ShownForm } from "fw"

export const title = ${JSON.stringify(title)}

template Page(c: Context) {
  {for (const text of c.flashed()) {
    <p role="status"${renderClass("done")}>{text}</p>
  }}
  {View(newForm())}
}

/* The form: empty, or as it was sent, with a message next to each field that is wrong. */
template View(form: ShownForm) {
${open}${indent(content, hasStyles ? 4 : 2)}${close}}

template Issue(id: string, text: string | undefined) {
  {if (text) {
    <p id={id}${renderClass("issue")}>{text}</p>
  }}
}
`
}

function indent(text: string, spaces: number): string {
  return text.replace(/^(?=.)/gm, " ".repeat(spaces))
}

/** How a kind of field is rendered. */
interface Markup {
  readonly attributes: string
  /**
   * Returns the attributes that show the sent value. `value` is the code of that value. Undefined for passwords and
   * files, which are never sent back.
   */
  readonly renderValue?: (value: string) => string
}

const inputMarkup: Readonly<Record<Exclude<FieldKind, "long">, Markup>> = {
  text: { attributes: "", renderValue: (value) => ` value={${value}}` },
  email: { attributes: ' type="email" autocomplete="email"', renderValue: (value) => ` value={${value}}` },
  number: { attributes: ' type="number" step="any"', renderValue: (value) => ` value={${value}}` },
  checkbox: { attributes: ' type="checkbox"', renderValue: (value) => ` checked={${value} === "on"}` },
  password: { attributes: ' type="password" autocomplete="new-password" minlength="12"' },
  file: { attributes: ' type="file" accept="image/*"' },
}

function renderField({ name, kind, label }: FormField, hasStyles: boolean): string {
  const isBox = kind === "checkbox"
  const issue = `form.issues.${name}`
  const value = `form.values.${name}`
  const ariaAttributes = `aria-invalid={${issue} && "true"} aria-describedby={${issue} && "${name}-issue"}`
  const nameAttributes = `id="${name}-field" name="${name}"${isBox ? "" : " required"}`
  const classAttribute = hasStyles ? ` class="${isBox ? classes.tick : classes.input}"` : ""
  const labelElement = `<label for="${name}-field"${hasStyles && !isBox ? ` class="${classes.label}"` : ""}>${label}</label>`
  const control =
    kind === "long"
      ? `<textarea ${nameAttributes} rows="5"${classAttribute} ${ariaAttributes}>{${value}}</textarea>`
      : `<input ${nameAttributes}${inputMarkup[kind].attributes}${inputMarkup[kind].renderValue?.(value) ?? ""}${classAttribute} ${ariaAttributes}>`
  const labelledControl = isBox
    ? `  <div${hasStyles ? ` class="${classes.box}"` : ""}>\n    ${control}\n    ${labelElement}\n  </div>\n`
    : `  ${labelElement}\n  ${control}\n`
  return `<div>\n${labelledControl}  {Issue("${name}-issue", ${issue})}\n</div>\n`
}
