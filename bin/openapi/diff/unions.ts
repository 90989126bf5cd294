/** Finds the members of two unions that correspond to each other. */
import type { Schema } from "../document/schemas.ts"
import { listTypes, resolveReference, type WholeDocument } from "./normal-schema.ts"

/** The pairs of corresponding members, and the members without a counterpart. */
export interface MatchedMembers {
  readonly pairs: ReadonlyArray<readonly [before: Schema, after: Schema]>
  readonly removed: readonly Schema[]
  readonly added: readonly Schema[]
}

/** Matches members by their names, then by equality, then by a constant property, and last by their types. */
export function matchMembers(
  [before, after]: readonly [readonly Schema[], readonly Schema[]],
  oldDocument: WholeDocument,
  newDocument: WholeDocument,
): MatchedMembers {
  const pairs: [Schema, Schema][] = []
  let removed = before.flatMap(splitTypes)
  let added = after.flatMap(splitTypes)
  const keys: ((schema: Schema, document: WholeDocument) => string | undefined)[] = [
    (schema) => schema.$ref as string | undefined,
    (schema, document) => JSON.stringify(resolveReference(schema, document)),
    (schema, document) => findConstant(resolveReference(schema, document)),
    (schema, document) => {
      const resolvedSchema = resolveReference(schema, document)
      return findConstant(resolvedSchema) === undefined ? listTypes(resolvedSchema)?.join() : undefined
    },
  ]
  for (const toKey of keys) {
    const unmatchedByKey = new Map(added.map((schema) => [toKey(schema, newDocument), schema]))
    unmatchedByKey.delete(undefined)
    removed = removed.filter((schema) => {
      const key = toKey(schema, oldDocument)
      const match = unmatchedByKey.get(key)
      if (!match) return true
      pairs.push([schema, match])
      unmatchedByKey.delete(key)
      added = added.filter((one) => one !== match)
      return false
    })
  }
  return { pairs, removed, added }
}

/** Splits a schema with several types into one schema for each. */
function splitTypes(schema: Schema): Schema[] {
  if (!Array.isArray(schema.type) || schema.type.length < 2) return [schema]
  return schema.type.map((type) => ({ ...schema, type }))
}

/** Returns the first property with a constant value, such as `kind: "circle"`. */
export function findConstant({ properties }: Schema): string | undefined {
  const found = Object.entries(Object(properties) as Record<string, Schema>).find(([, one]) => "const" in one)
  return found && `${found[0]}: ${JSON.stringify(found[1].const)}`
}
