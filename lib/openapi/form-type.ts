/** Types of forms and queries: what is sent as text or as a file, where JSON would be something else. */
import type { TypeData } from "./model.ts"
import { withParts } from "./type-parts.ts"

/** The media type of a file whose type is not known. */
export const anyFile = "application/octet-stream"

/** Types by their id. */
type Types = ReadonlyMap<string, { readonly type: TypeData }>

/**
 * Returns the type of a form. Its files are contents, while JSON makes `{}` of them, and a bigint is written as an
 * integer. A named type keeps its name unless that changes it.
 */
export function formType(type: TypeData, types: Types): TypeData {
  const changed = plain(type, types, new Set())
  return JSON.stringify(changed) === JSON.stringify(type) ? type : changed
}

function plain(type: TypeData, types: Types, seen: ReadonlySet<string>): TypeData {
  switch (type.kind) {
    case "binary":
      return { kind: "string", media: anyFile }
    case "bigint":
    case "integer-text":
      return { kind: "integer" }
    case "named": {
      const meant = types.get(type.id)?.type
      if (!meant || seen.has(type.id)) return type
      const changed = plain(meant, types, new Set([...seen, type.id]))
      return JSON.stringify(changed) === JSON.stringify(meant) ? type : changed
    }
    default:
      return withParts(type, (part) => plain(part, types, seen))
  }
}

/** Returns the object that a type is, without its name; null for any other type. */
export function objectType(type: TypeData, types: Types): Extract<TypeData, { kind: "object" }> | null {
  const meant = type.kind === "named" ? types.get(type.id)?.type : type
  return meant?.kind === "object" ? meant : null
}
