/** Source that reads properties of values. */
import type { PropertyData, TypeData } from "../../lib/openapi/model.ts"
import type { Mode, ValidatorFile } from "./file.ts"
import { testOf } from "./leaves.ts"
import { source } from "./text-tests.ts"

/** Names that every object inherits. */
const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Returns an expression of an object's own property. */
export function readProperty(v: string, name: string, mode: Mode, file: ValidatorFile): string {
  const own = inherited.has(name) ? `${file.helper("own")}(${v}, ${source(name)})` : plainProperty(v, name)
  return mode === "json" ? own : `${file.helper("field")}(${own})`
}

/** Returns an access to a property. */
export function plainProperty(v: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${v}.${name}` : `${v}[${source(name)}]`
}

/** Returns an expression of the value of a property; in forms, of what its type makes of several or of none. */
export function fieldValue({ name, type, optional }: PropertyData, mode: Mode, file: ValidatorFile): string {
  if (mode === "json") return readProperty("v", name, mode, file)
  const own = readProperty("v", name, "json", file)
  const plain = file.resolved(type)
  if (plain.kind === "array") return `${file.helper("listField")}(${own})`
  const takesEmpty = !optional && testOf(type, "x", mode, file) !== null && acceptsText(plain, file)
  return `${file.helper(takesEmpty ? "textField" : "field")}(${own})`
}

function acceptsText(type: TypeData, file: ValidatorFile): boolean {
  if (type.kind === "union") return type.members.some((member) => acceptsText(file.resolved(member), file))
  return type.kind === "string" || (type.kind === "literal" && type.value === "")
}
