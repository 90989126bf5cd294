/** Generates the schema of a form for a schema library, or as a Standard Schema without a library. */
import { readManifest } from "../project/manifest.ts"
import { type FieldKind, type FormField, numberPattern, renderMessage } from "./form-fields.ts"
import { renderPlainSchema } from "./form-plain-schema.ts"

/** The supported schema libraries, in order of preference. */
const libraries = ["zod", "valibot", "arktype"] as const

/** A schema library, with its major version. */
export interface SchemaLibrary {
  readonly name: (typeof libraries)[number]
  /** Undefined if the version range contains no number, such as `latest`. */
  readonly major: number | undefined
}

/** Returns the name of the type of a form's fields: `UsersIdEditFields` for `users/[id]/edit`. */
function toTypeName(names: readonly string[]): string {
  const words = names.join("-").match(/[\p{L}\p{N}]+/gu) ?? []
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
  return `${/^\p{N}/u.test(name) ? "Form" : ""}${name}Fields`
}

/** Returns the first schema library in a project's package.json; null if there is none. */
export function findSchemaLibrary(root: string): SchemaLibrary | null {
  const { dependencies, devDependencies } = readManifest(root)
  const packages: Readonly<Record<string, unknown>> = { ...Object(devDependencies), ...Object(dependencies) }
  const name = libraries.find((library) => library in packages)
  if (!name) return null
  const [major] = /\d+/.exec(String(packages[name])) ?? []
  return { name, major: major === undefined ? undefined : Number(major) }
}

/**
 * Returns the text of `schema.ts`, which exports `schema`.
 *
 * @param names the directories of the form. Its type is named after them, because type names must be unique in the
 * OpenAPI document and the client.
 */
export function renderSchema(
  library: SchemaLibrary | null,
  names: readonly string[],
  fields: readonly FormField[],
): string {
  if (!library) return renderPlainSchema(toTypeName(names), fields)
  const { start, object, kinds } = chooseStyle(library)
  const lines = fields.map(({ name, kind }) => `  ${kinds[kind](name)},\n`)
  return `${start}\n/** The fields of the form. */\nexport const schema = ${object}({\n${lines.join("")}})\n`
}

/** How a library writes a schema: its import, its function for objects, and the code for each kind of field. */
interface SchemaStyle {
  readonly start: string
  readonly object: string
  readonly kinds: Readonly<Record<FieldKind, (name: string) => string>>
}

function chooseStyle({ name, major }: SchemaLibrary): SchemaStyle {
  if (name === "valibot") return valibotStyle
  return name === "arktype" ? arktypeStyle : createZodStyle(major)
}

function createZodStyle(major: number | undefined): SchemaStyle {
  const isOldVersion = major !== undefined && major < 4
  const text = (kind: "text" | "long") => `z.string().trim().min(1, ${renderMessage(kind)})`
  return {
    start: 'import { z } from "zod"\n',
    object: "z.object",
    kinds: {
      text: (field) => `${field}: ${text("text")}`,
      long: (field) => `${field}: ${text("long")}`,
      email: (field) => `${field}: ${isOldVersion ? "z.string().email" : "z.email"}(${renderMessage("email")})`,
      number: (field) => `${field}: z.string().regex(${numberPattern}, ${renderMessage("number")}).transform(Number)`,
      checkbox: (field) => `${field}: z.literal("on").optional()`,
      password: (field) => `${field}: z.string().min(12, ${renderMessage("password")})`,
      file: (field) =>
        isOldVersion
          ? `${field}: z.instanceof(File).refine((file) => file.size > 0, ${renderMessage("file")})`
          : `${field}: z.file().min(1, ${renderMessage("file")})`,
    },
  }
}

const valibotStyle: SchemaStyle = {
  start: 'import * as v from "valibot"\n',
  object: "v.object",
  kinds: {
    text: (field) => `${field}: v.pipe(v.string(), v.trim(), v.minLength(1, ${renderMessage("text")}))`,
    long: (field) => `${field}: v.pipe(v.string(), v.trim(), v.minLength(1, ${renderMessage("long")}))`,
    email: (field) => `${field}: v.pipe(v.string(), v.email(${renderMessage("email")}))`,
    number: (field) =>
      `${field}: v.pipe(v.string(), v.regex(${numberPattern}, ${renderMessage("number")}), v.transform(Number))`,
    checkbox: (field) => `${field}: v.optional(v.literal("on"))`,
    password: (field) => `${field}: v.pipe(v.string(), v.minLength(12, ${renderMessage("password")}))`,
    file: (field) => `${field}: v.pipe(v.file(), v.minSize(1, ${renderMessage("file")}))`,
  },
}

const arktypeStyle: SchemaStyle = {
  start: 'import { type } from "arktype"\n',
  object: "type",
  kinds: {
    text: (field) => `${field}: ${renderArktypeText("text")}`,
    long: (field) => `${field}: ${renderArktypeText("long")}`,
    email: (field) => `${field}: type("string.email").configure({ message: ${renderMessage("email")} })`,
    number: (field) => `${field}: type("string.numeric.parse").configure({ message: ${renderMessage("number")} })`,
    checkbox: (field) => `"${field}?": "'on'"`,
    password: (field) => `${field}: type("string >= 12").configure({ message: ${renderMessage("password")} })`,
    file: (field) =>
      `${field}: type("File").narrow((file) => file.size > 0).configure({ message: ${renderMessage("file")} })`,
  },
}

function renderArktypeText(kind: "text" | "long"): string {
  return `type("string.trim").to(type("string >= 1").configure({ message: ${renderMessage(kind)} }))`
}
