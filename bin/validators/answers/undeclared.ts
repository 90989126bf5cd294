/** Properties of an answer that its type does not declare. */
import type { NamedType, TypeData } from "../../../lib/openapi/model.ts"
import { byID } from "../../../lib/openapi/type-parts.ts"
import { mostLevels } from "../helpers.ts"
import { isOpen, itemTypes, meantObjects, otherTypes, propertyTypes } from "./parts.ts"
import { withName } from "./paths.ts"
import { plainTypes } from "./wire.ts"

/** Most values of one answer to visit. */
const mostVisited = 20_000
/** Most properties to find. */
const mostFound = 20

/** Returns the paths of the properties, each once: `users[].passwordHash`. */
export function undeclared(
  root: unknown,
  types: readonly TypeData[],
  all: readonly NamedType[],
): readonly string[] {
  const named = byID(all)
  const found = new Set<string>()
  let left = mostVisited
  visit(root, types, "", 0)
  return [...found]

  function visit(value: unknown, types: readonly TypeData[], path: string, level: number): void {
    if (typeof value !== "object" || value === null || level > mostLevels) return
    if (left <= 0 || found.size >= mostFound) return
    const plain = plainTypes(types, named)
    if (plain.some(({ kind }) => kind === "any")) return
    if (Array.isArray(value)) {
      const items = itemTypes(plain)
      for (const item of value) {
        left -= 1
        visit(item, items, `${path}[]`, level + 1)
      }
    } else object(value as Record<string, unknown>, meantObjects(plain, value as never, named), path, level)
  }

  function object(
    value: Readonly<Record<string, unknown>>,
    objects: ReturnType<typeof meantObjects>,
    path: string,
    level: number,
  ): void {
    // It is not an object at all in its type, which is another problem.
    if (objects.length === 0) return
    const others = otherTypes(objects)
    const open = isOpen(objects)
    for (const key of Object.keys(value)) {
      left -= 1
      const declared = propertyTypes(objects, key)
      if (declared.length > 0) visit(value[key], declared, withName(path, key), level + 1)
      else if (open) visit(value[key], others, withName(path, "*"), level + 1)
      else if (found.size < mostFound) found.add(withName(path, key))
    }
  }
}
