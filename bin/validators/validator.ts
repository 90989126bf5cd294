/** A validator as plain data: a type, and a name that depends only on the structure of the type. */
import { createHash } from "node:crypto"
import type { NamedType, TypeData } from "../openapi/document/model.ts"
import { indexByID, visitParts } from "../openapi/document/type-parts.ts"
import type { InputFrom } from "../openapi/types/input-types.ts"

export type { InputFrom }

/** A validator of bodies, forms or queries. */
export interface Validator {
  /** The name. It is always the same for the same structure: `json_0f3a…`. */
  readonly name: string
  readonly from: InputFrom
  readonly type: TypeData
  /** The named types that the type contains. */
  readonly named: readonly NamedType[]
}

/**
 * Creates the validator of a type.
 *
 * @param all all named types. Those that the type does not contain are left out.
 */
export function createValidator(type: TypeData, from: InputFrom, all: readonly NamedType[]): Validator {
  const ids: string[] = []
  visitParts(type, indexByID(all), (part) => {
    if (part.kind === "named" && !ids.includes(part.id)) ids.push(part.id)
  })
  const types = new Map(all.map((one) => [one.id, one]))
  const named = ids.flatMap((id) => types.get(id) ?? [])
  const names = new Map(ids.map((id, i) => [id, String(i)]))
  const text = describeStructure([type, ...named.map((one) => [one.name, one.comment, one.type])], names)
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16)
  return { name: `${from}_${hash}`, from, type, named }
}

/** Returns a text that is equal for equal types. Positions are left out, and numbers replace ids. */
function describeStructure(value: unknown, names: ReadonlyMap<string, string>): string {
  return JSON.stringify(value, (key, part: unknown) => {
    if (key === "problem" || key === "anyAt") return undefined
    return key === "id" && typeof part === "string" ? (names.get(part) ?? part) : part
  })
}
