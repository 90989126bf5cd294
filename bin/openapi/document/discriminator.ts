/** Finds the property that distinguishes the members of a union. */
import type { PropertyData, TypeData } from "./model.ts"

/** The value of a literal type. */
export type Literal = string | number | boolean

/** The property, and the literals that it has in each member. */
export interface Discriminator {
  readonly name: string
  /** The literals of each member, in the order of the members. */
  readonly values: ReadonlyArray<readonly Literal[]>
}

/**
 * Returns the first property that all members require and that has different literals in each member.
 *
 * @param objects the members; null for a member that is not an object.
 * @param resolve returns the type that a named type stands for.
 * @param accepts returns false for literals that are not suitable.
 */
export function findDiscriminator(
  objects: ReadonlyArray<Extract<TypeData, { kind: "object" }> | null>,
  resolve: (type: TypeData) => TypeData,
  accepts: (value: Literal) => boolean = () => true,
): Discriminator | null {
  const [first] = objects
  if (objects.length < 2 || !first || objects.includes(null)) return null
  for (const { name } of first.properties) {
    const values = objects.map((object) =>
      listLiterals(
        object?.properties.find((own) => own.name === name),
        resolve,
      ),
    )
    const all = values.flat()
    if (values.every((list) => list.length > 0) && all.every(accepts) && new Set(all).size === all.length)
      return { name, values }
  }
  return null
}

function listLiterals(property: PropertyData | undefined, resolve: (type: TypeData) => TypeData): Literal[] {
  if (!property || property.optional) return []
  const plain = resolve(property.type)
  const parts = plain.kind === "union" ? plain.members.map(resolve) : [plain]
  const values = parts.flatMap((part) => (part.kind === "literal" ? [part.value] : []))
  return values.length === parts.length ? values : []
}
