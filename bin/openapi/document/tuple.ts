/**
 * Converts tuples to schemas. JSON Schema has no positions after a rest element, so the items after it are counted
 * instead.
 */
import type { TypeData } from "./model.ts"
import type { Schema } from "./schemas.ts"

/**
 * Stores in the schema of a tuple the types of the rest and of the items after it. A symbol, because symbols do not
 * appear in JSON.
 */
export const openTuple: unique symbol = Symbol("tuple")

/**
 * Returns the schema of a tuple.
 *
 * @param convert returns the schema of an item.
 */
export function createTupleSchema(
  { items, rest, tail = [] }: Extract<TypeData, { kind: "tuple" }>,
  convert: (type: TypeData) => Schema,
): Schema {
  const first = items.map(({ type }) => convert(type))
  const minCount = items.filter(({ optional }) => !optional).length + tail.length
  const head: Schema = {
    type: "array",
    // `prefixItems` must not be empty (JSON Schema 2020-12, applicator §10.3.1.1). `items` is always present,
    // because linters require it.
    ...(first.length > 0 && { prefixItems: first }),
  }
  const size = { ...(minCount > 0 && { minItems: minCount }), ...(!rest && { maxItems: items.length }) }
  if (!rest) return { ...head, items: first.length > 0 ? false : {}, ...size }
  const arraySchema = { ...head, items: convert(createUnion([rest, ...tail])), ...size }
  if (tail.length === 0) return arraySchema
  const parts = { rest: convert(rest), tail: tail.map(convert) }
  return { ...arraySchema, ...limitTailItems(first, parts), [openTuple]: parts }
}

/**
 * Returns `contains` for the types after the rest, with the numbers of items that must and that may have one of them.
 * The maximum is left out if other items may have such a type too.
 */
function limitTailItems(
  first: readonly Schema[],
  { rest, tail }: { readonly rest: Schema; readonly tail: readonly Schema[] },
): Schema {
  const unique = new Map(tail.map((end) => [JSON.stringify(end), end]))
  unique.delete(JSON.stringify(rest))
  const ends = [...unique.values()]
  const [end] = ends
  if (!end) return {}
  const isEnd = (one: Schema) => unique.has(JSON.stringify(one))
  const all = [...first, rest, ...tail]
  const count = all.filter(isEnd).length
  const isCounted = all.every((one) => isEnd(one) || ends.every((other) => areDisjoint(one, other)))
  return {
    contains: ends.length === 1 ? end : { anyOf: ends },
    ...(count > 1 && { minContains: count }),
    ...(isCounted && { maxContains: count }),
  }
}

/** Returns true if no value can have both types. */
function areDisjoint(one: Schema, other: Schema): boolean {
  const kinds = [one, other].map(({ type = [] }) => [type].flat().map((kind) => (kind === "integer" ? "number" : kind)))
  const [left = [], right = []] = kinds
  return left.length > 0 && right.length > 0 && !left.some((kind) => right.includes(kind))
}

/** Returns a union without duplicates. */
function createUnion(types: readonly TypeData[]): TypeData {
  const flat = types.flatMap((type) => (type.kind === "union" ? type.members : [type]))
  const [first, ...others] = [...new Map(flat.map((type) => [JSON.stringify(type), type])).values()]
  return first && others.length === 0 ? first : { kind: "union", members: [first as TypeData, ...others] }
}
