/** Generates code that reads properties. */
import type { PropertyData, TypeData } from "../openapi/document/model.ts"
import { renderTest } from "./leaves.ts"
import { toSource } from "./text-tests.ts"
import type { InputMode, ValidatorFile } from "./validator-file.ts"

/** Names that every object inherits. */
const inheritedNames = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Returns an expression for an object's own property. */
export function renderProperty(v: string, name: string, mode: InputMode, file: ValidatorFile): string {
  const own = inheritedNames.has(name) ? `${file.useHelper("getOwn")}(${v}, ${toSource(name)})` : renderAccess(v, name)
  return mode === "json" ? own : `${file.useHelper("field")}(${own})`
}

/** Returns an expression for a property, which may be inherited. */
export function renderAccess(v: string, name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `${v}.${name}` : `${v}[${toSource(name)}]`
}

/**
 * Returns an expression for the value of a property. In a form, the type decides whether several values or none
 * become a list.
 */
export function renderFieldValue({ name, type, optional }: PropertyData, mode: InputMode, file: ValidatorFile): string {
  if (mode === "json") return renderProperty("v", name, mode, file)
  const own = renderProperty("v", name, "json", file)
  const plain = file.resolvePlain(type)
  if (plain.kind === "array") return `${file.useHelper("listField")}(${own})`
  const takesEmpty = !optional && renderTest(type, "x", mode, file) !== null && acceptsText(plain, file)
  return `${file.useHelper(takesEmpty ? "textField" : "field")}(${own})`
}

function acceptsText(type: TypeData, file: ValidatorFile): boolean {
  if (type.kind === "union") return type.members.some((member) => acceptsText(file.resolvePlain(member), file))
  return type.kind === "string" || (type.kind === "literal" && type.value === "")
}
