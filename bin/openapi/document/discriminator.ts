/** The property that distinguishes the members of a union. */
import type { PropertyData, TypeData } from "./model.ts"

/** A literal. */
export type Literal = string | number | boolean

/** A property, and the literals that it has in each member. */
export interface Discriminator {
  readonly name: string
  /** In the order of the members. */
  readonly values: ReadonlyArray<readonly Literal[]>
}

/**
 * Returns the first property that all members require and for which no two members have the same literal.
 *
 * @param objects the members; null for a member that is not an object.
 * @param resolve returns the type that a name stands for.
 * @param accepts returns false for literals that do not count.
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
