/** Finds properties of an answer that its type does not declare. */
import type { NamedType, TypeData } from "../../openapi/document/model.ts"
import { indexByID } from "../../openapi/document/type-parts.ts"
import { maxLevels } from "../helpers.ts"
import { appendName } from "./format-path.ts"
import { listItemTypes, listOtherTypes, listPropertyTypes, mayHaveOthers, selectObjects } from "./part-types.ts"
import { listPlainTypes } from "./wire-types.ts"

/** The largest number of values in an answer to visit. */
const maxValues = 20_000
/** The largest number of properties to find. */
const maxProperties = 20

/** Returns the paths of undeclared properties without duplicates: `users[].passwordHash`. */
export function findUndeclared(
  root: unknown,
  types: readonly TypeData[],
  all: readonly NamedType[],
): readonly string[] {
  const typesByID = indexByID(all)
  const found = new Set<string>()
  let remainingValues = maxValues
  visit(root, types, "", 0)
  return [...found]

  function visit(value: unknown, types: readonly TypeData[], path: string, level: number): void {
    if (typeof value !== "object" || value === null || level > maxLevels) return
    if (remainingValues <= 0 || found.size >= maxProperties) return
    const plain = listPlainTypes(types, typesByID)
    if (plain.some(({ kind }) => kind === "any")) return
    if (Array.isArray(value)) {
      const items = listItemTypes(plain)
      for (const item of value) {
        remainingValues -= 1
        visit(item, items, `${path}[]`, level + 1)
      }
    } else visitObject(value as Record<string, unknown>, selectObjects(plain, value as never, typesByID), path, level)
  }

  function visitObject(
    value: Readonly<Record<string, unknown>>,
    objects: ReturnType<typeof selectObjects>,
    path: string,
    level: number,
  ): void {
    // The type is not an object, which is another problem.
    if (objects.length === 0) return
    const others = listOtherTypes(objects)
    const isOpenType = mayHaveOthers(objects)
    for (const key of Object.keys(value)) {
      remainingValues -= 1
      const declared = listPropertyTypes(objects, key)
      if (declared.length > 0) visit(value[key], declared, appendName(path, key), level + 1)
      else if (isOpenType) visit(value[key], others, appendName(path, "*"), level + 1)
      else if (found.size < maxProperties) found.add(appendName(path, key))
    }
  }
}
