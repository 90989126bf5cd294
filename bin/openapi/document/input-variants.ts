/** Compares named types that both requests and answers use. They share a name if their schemas are equal. */
import type { NamedType, TypeData } from "./model.ts"
import { listParts } from "./type-parts.ts"

/** The end of the ids of types in requests. */
export const inputSuffix = "#input"

/** Returns the id of the same type in answers. Returns other ids unchanged. */
export function toAnswerID(id: string): string {
  return id.endsWith(inputSuffix) ? id.slice(0, -inputSuffix.length) : id
}

/** Returns the ids of the types in requests whose schema in answers is different, or that contain such a type. */
export function findDifferentInputs(types: readonly NamedType[]): ReadonlySet<string> {
  const answerTypes = new Map(types.filter(({ id }) => !id.endsWith(inputSuffix)).map((type) => [type.id, type]))
  const inputTypes = types.filter(({ id }) => id.endsWith(inputSuffix))
  const different = new Set<string>()
  for (const { id, type } of inputTypes) {
    const answerType = answerTypes.get(toAnswerID(id))
    if (answerType && (answerType.synthetic || toComparableText(answerType.type) !== toComparableText(type)))
      different.add(id)
  }
  const references = inputTypes.map(({ id, type }) => ({ id, names: listNames(type) }))
  for (let size = -1; size !== different.size; ) {
    size = different.size
    for (const { id, names } of references)
      if (answerTypes.has(toAnswerID(id)) && names.some((name) => different.has(name))) different.add(id)
  }
  return different
}

/** Returns a text that is equal for types with equal schemas. */
function toComparableText(type: TypeData): string {
  return JSON.stringify(type, (key, value: unknown) => {
    if (key === "anyAt" || key === "problem" || key === "template") return undefined
    if (key === "id" && typeof value === "string") return toAnswerID(value)
    const { kind } = (value ?? {}) as { readonly kind?: unknown }
    return kind === "date" ? { kind: "string", format: "date-time" } : value
  })
}

function listNames(root: TypeData): string[] {
  const found: string[] = []
  const queue = [root]
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (next.kind === "named") found.push(next.id)
    else queue.push(...listParts(next))
  }
  return found
}
