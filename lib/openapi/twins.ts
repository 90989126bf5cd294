/** Named types that both requests and answers use. They share a name if they are described alike. */
import type { NamedType, TypeData } from "./model.ts"
import { partsOf } from "./type-parts.ts"

/** The end of the id of a named type of requests. */
export const inputEnd = "#input"

/** Returns the id that a type of requests has in answers; the id itself for other types. */
export function sentID(id: string): string {
  return id.endsWith(inputEnd) ? id.slice(0, -inputEnd.length) : id
}

/** Returns the ids of the named types of requests that answers describe in another way, or that contain such a type. */
export function differentTwins(types: readonly NamedType[]): ReadonlySet<string> {
  const sent = new Map(types.filter(({ id }) => !id.endsWith(inputEnd)).map((type) => [type.id, type]))
  const received = types.filter(({ id }) => id.endsWith(inputEnd))
  const different = new Set<string>()
  for (const { id, type } of received) {
    const twin = sent.get(sentID(id))
    if (twin && (twin.synthetic || described(twin.type) !== described(type))) different.add(id)
  }
  const uses = received.map(({ id, type }) => ({ id, names: namesIn(type) }))
  for (let size = -1; size !== different.size; ) {
    size = different.size
    for (const { id, names } of uses)
      if (sent.has(sentID(id)) && names.some((name) => different.has(name))) different.add(id)
  }
  return different
}

/** Returns a text that is equal for types with the same schema. */
function described(type: TypeData): string {
  return JSON.stringify(type, (key, value: unknown) => {
    if (key === "open" || key === "refused" || key === "template") return undefined
    if (key === "id" && typeof value === "string") return sentID(value)
    const { kind } = (value ?? {}) as { readonly kind?: unknown }
    return kind === "date" ? { kind: "string", format: "date-time" } : value
  })
}

function namesIn(root: TypeData): string[] {
  const found: string[] = []
  const waiting = [root]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === "named") found.push(next.id)
    else waiting.push(...partsOf(next))
  }
  return found
}
