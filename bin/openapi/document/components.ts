/** Selects the components that a document uses. */
import { sortEntries } from "../../../lib/order.ts"
import type { Schema } from "./schemas.ts"

type Components = Record<"schemas" | "responses", Record<string, Schema>>

/** Returns the components that the paths use, directly or indirectly, sorted by name. */
export function selectUsedComponents(paths: object, all: Components): Components {
  const usedReferences = new Set<string>()
  const visit = (value: object): void => {
    for (const key in value) {
      const inner: unknown = (value as Record<string, unknown>)[key]
      if (typeof inner === "object" && inner !== null) visit(inner)
      else if (key === "$ref" && typeof inner === "string" && !usedReferences.has(inner)) {
        usedReferences.add(inner)
        const [, , group = "", name = ""] = inner.split("/")
        visit(all[group as keyof Components]?.[name] ?? {})
      }
    }
  }
  visit(paths)
  const selectUsed = (group: keyof Components) => {
    const entries = Object.entries(all[group]).filter(([name]) => usedReferences.has(`#/components/${group}/${name}`))
    return Object.fromEntries(sortEntries(entries))
  }
  return { schemas: selectUsed("schemas"), responses: selectUsed("responses") }
}
