/** Finds the types of the parts of a value: of its items and of its properties. */
import type { TypeData } from "../../openapi/document/model.ts"
import { listPlainTypes, type PlainType } from "./wire-types.ts"

type ObjectType = Extract<TypeData, { kind: "object" }>
type TypesByID = ReadonlyMap<string, TypeData>

/** Returns the types of the items of list types. */
export function listItemTypes(types: readonly PlainType[]): TypeData[] {
  return types.flatMap((type) => {
    if (type.kind === "array") return [type.items]
    if (type.kind !== "tuple") return []
    return [...type.items.map(({ type }) => type), ...(type.rest ? [type.rest] : []), ...(type.tail ?? [])]
  })
}

/** Returns the types of a property that is declared by name. */
export function listPropertyTypes(objects: readonly ObjectType[], name: string): TypeData[] {
  return objects.flatMap(({ properties }) =>
    properties.filter((property) => property.name === name).map(({ type }) => type),
  )
}

/** Returns the types of properties that are not declared by name. */
export function listOtherTypes(objects: readonly ObjectType[]): TypeData[] {
  return objects.flatMap(({ values, patterns = [] }) => [
    ...(values ? [values] : []),
    ...patterns.map(({ type }) => type),
  ])
}

/**
 * Returns true if objects may have properties that are not declared by name. An object type without properties does
 * not say which properties a value has.
 */
export function mayHaveOthers(objects: readonly ObjectType[]): boolean {
  return listOtherTypes(objects).length > 0 || objects.some(({ properties }) => properties.length === 0)
}

/** Returns the members of a union that a value may be: those with the same literals, otherwise all. */
export function selectObjects(
  types: readonly PlainType[],
  value: Readonly<Record<string, unknown>>,
  named: TypesByID,
): ObjectType[] {
  const objects = types.filter((type): type is ObjectType => type.kind === "object")
  if (objects.length < 2) return objects
  const matchingObjects = objects.filter(({ properties }) =>
    properties.every(({ name, type }) => {
      const plain = listPlainTypes([type], named)
      const literals = plain.flatMap((part) => (part.kind === "literal" ? [part.value] : []))
      const hasOnlyLiterals = literals.length > 0 && literals.length === plain.length
      return !hasOnlyLiterals || !Object.hasOwn(value, name) || literals.some((one) => one === value[name])
    }),
  )
  return matchingObjects.length > 0 ? matchingObjects : objects
}
