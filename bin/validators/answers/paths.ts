/** Paths in an answer as text. They show the names that types declare, and no key that is data. */
import type { NamedType, TypeData } from "../../../lib/openapi/model.ts"
import { byID } from "../../../lib/openapi/type-parts.ts"
import { itemTypes, otherTypes, propertyTypes } from "./parts.ts"
import { plainTypes } from "./wire.ts"

/** Longest name to show, in characters. */
const longest = 80

/** A path, and the innermost named type around its last part. */
export interface ShownPath {
  /** `users[].email`; `""` for the answer itself. */
  readonly text: string
  readonly owner: NamedType | undefined
}

/** Returns a path. @param all the named types. */
export function shownPath(
  path: readonly unknown[],
  types: readonly TypeData[],
  all: readonly NamedType[],
): ShownPath {
  const named = byID(all)
  let at = types
  let text = ""
  let owner: NamedType | undefined
  for (const key of path) {
    owner = ownerOf(at, all) ?? owner
    const plain = plainTypes(at, named)
    const objects = plain.filter((type) => type.kind === "object")
    const declared = propertyTypes(objects, String(key))
    if (typeof key === "number") {
      at = itemTypes(plain)
      text += "[]"
    } else if (declared.length > 0) {
      at = declared
      text = withName(text, String(key))
    } else {
      at = otherTypes(objects)
      text = withName(text, "*")
    }
  }
  return { text, owner }
}

/** Returns a path with a property. */
export function withName(text: string, name: string): string {
  const short = name.length > longest ? `${name.slice(0, longest)}…` : name
  if (!/^(?:[A-Za-z_$][\w$…]*|\*)$/.test(short)) return `${text}[${JSON.stringify(short)}]`
  return text === "" ? short : `${text}.${short}`
}

/** Returns the named type that some types are. The source has no name for a synthetic one. */
function ownerOf(types: readonly TypeData[], all: readonly NamedType[]): NamedType | undefined {
  const flat = types.flatMap((type) => (type.kind === "union" ? type.members : [type]))
  const ids = new Set(flat.flatMap((type) => (type.kind === "named" ? [type.id] : [])))
  const [id] = ids
  const owner = ids.size === 1 ? all.find((one) => one.id === id) : undefined
  return owner?.synthetic ? undefined : owner
}
