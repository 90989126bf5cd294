/** Converts types of forms and queries, whose values are sent as texts or files and not as JSON. */
import type { TypeData } from "./model.ts"
import { mapParts } from "./type-parts.ts"

/** The media type of a file, if it is not known. */
export const anyFileType = "application/octet-stream"

/** The named types by id. */
type TypesByID = ReadonlyMap<string, { readonly type: TypeData }>

/**
 * Returns the type of a form. A file becomes its content, which JSON would write as `{}`, and a bigint becomes an
 * integer. A named type keeps its name unless it contains one of these.
 */
export function toFormType(type: TypeData, types: TypesByID): TypeData {
  const formPart = toFormPart(type, types, new Set())
  return JSON.stringify(formPart) === JSON.stringify(type) ? type : formPart
}

function toFormPart(type: TypeData, types: TypesByID, ancestorIDs: ReadonlySet<string>): TypeData {
  switch (type.kind) {
    case "binary":
      return { kind: "string", media: anyFileType }
    case "bigint":
    case "integer-text":
      return { kind: "integer" }
    case "named": {
      const namedType = types.get(type.id)?.type
      if (!namedType || ancestorIDs.has(type.id)) return type
      const formPart = toFormPart(namedType, types, new Set([...ancestorIDs, type.id]))
      return JSON.stringify(formPart) === JSON.stringify(namedType) ? type : formPart
    }
    default:
      return mapParts(type, (part) => toFormPart(part, types, ancestorIDs))
  }
}

/** Returns the object that a type or its name stands for; null if it is not an object. */
export function findObjectType(type: TypeData, types: TypesByID): Extract<TypeData, { kind: "object" }> | null {
  const target = type.kind === "named" ? types.get(type.id)?.type : type
  return target?.kind === "object" ? target : null
}
