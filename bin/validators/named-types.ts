/** Joins the named types of several validators, which may have been read from different versions of a program. */
import type { NamedType, TypeData } from "../openapi/document/model.ts"
import { mapParts } from "../openapi/document/type-parts.ts"
import type { Validator } from "./validator.ts"

/** Validators that share a list of named types. */
export interface JoinedValidators {
  readonly validators: readonly Validator[]
  readonly named: readonly NamedType[]
}

/**
 * Joins named types by id. If a validator's type differs from another one with the same id, all named types of that
 * validator get new ids.
 */
export function joinNamedTypes(validators: readonly Validator[]): JoinedValidators {
  const known = new Map<string, { readonly text: string; readonly type: NamedType }>()
  const joinedValidators = validators.map((validator): Validator => {
    let version = 0
    let own = validator.named
    let type = validator.type
    while (own.some((one) => known.has(one.id) && known.get(one.id)?.text !== toComparableText(one))) {
      version += 1
      const ids = new Map(validator.named.map(({ id }) => [id, `${id}~${version}`]))
      own = validator.named.map((one) => ({
        ...one,
        id: ids.get(one.id) as string,
        type: renameTypes(one.type, ids),
      }))
      type = renameTypes(validator.type, ids)
    }
    for (const one of own) known.set(one.id, { text: toComparableText(one), type: one })
    return { ...validator, type, named: own }
  })
  return { validators: joinedValidators, named: [...known.values()].map(({ type }) => type) }
}

/** Returns a text that is equal for equal types. Positions are left out. */
function toComparableText({ name, comment, type }: NamedType): string {
  return JSON.stringify([name, comment, type], (key, value: unknown) => (key === "anyAt" ? undefined : value))
}

function renameTypes(type: TypeData, ids: ReadonlyMap<string, string>): TypeData {
  if (type.kind === "named") return { ...type, id: ids.get(type.id) ?? type.id }
  return mapParts(type, (part) => renameTypes(part, ids))
}
