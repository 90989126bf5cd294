/** Formats paths in an answer. Names that a type declares are shown; other keys are data and are not shown. */
import { shortenText } from "../../../lib/text.ts"
import type { NamedType, TypeData } from "../../openapi/document/model.ts"
import { indexByID } from "../../openapi/document/type-parts.ts"
import { listItemTypes, listOtherTypes, listPropertyTypes } from "./part-types.ts"
import { listPlainTypes } from "./wire-types.ts"

/** The longest name to show, in characters. */
const maxNameLength = 80

/** A path, and the innermost named type around its last part. */
export interface FormattedPath {
  /** The text: `users[].email`; `""` for the answer itself. */
  readonly text: string
  readonly owner: NamedType | undefined
}

/**
 * Formats a path.
 *
 * @param all the named types.
 */
export function formatPath(
  path: readonly unknown[],
  types: readonly TypeData[],
  all: readonly NamedType[],
): FormattedPath {
  const typesByID = indexByID(all)
  let currentTypes = types
  let text = ""
  let owner: NamedType | undefined
  for (const key of path) {
    owner = findOwner(currentTypes, all) ?? owner
    const plain = listPlainTypes(currentTypes, typesByID)
    const objects = plain.filter((type) => type.kind === "object")
    const declared = listPropertyTypes(objects, String(key))
    if (typeof key === "number") {
      currentTypes = listItemTypes(plain)
      text += "[]"
    } else if (declared.length > 0) {
      currentTypes = declared
      text = appendName(text, String(key))
    } else {
      currentTypes = listOtherTypes(objects)
      text = appendName(text, "*")
    }
  }
  return { text, owner }
}

/** Appends the name of a property to a path. */
export function appendName(text: string, name: string): string {
  const short = shortenText(name, maxNameLength)
  if (!/^(?:[A-Za-z_$][\w$…]*|\*)$/.test(short)) return `${text}[${JSON.stringify(short)}]`
  return text === "" ? short : `${text}.${short}`
}

/**
 * Returns the named type among some types. Generated names do not count, because the source does not contain them.
 */
function findOwner(types: readonly TypeData[], all: readonly NamedType[]): NamedType | undefined {
  const flat = types.flatMap((type) => (type.kind === "union" ? type.members : [type]))
  const ids = new Set(flat.flatMap((type) => (type.kind === "named" ? [type.id] : [])))
  const [id] = ids
  const owner = ids.size === 1 ? all.find((one) => one.id === id) : undefined
  return owner?.synthetic ? undefined : owner
}
