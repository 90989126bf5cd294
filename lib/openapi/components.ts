/** The components of a document: those that its paths use. */
import { sortedEntries } from "../order.ts"
import type { Schema } from "./schema.ts"

type Components = Record<"schemas" | "responses", Record<string, Schema>>

/** Returns the components that the paths use, directly or through others, sorted by name. */
export function usedComponents(paths: object, all: Components): Components {
  const used = new Set<string>()
  const visit = (value: object): void => {
    for (const key in value) {
      const inner: unknown = (value as Record<string, unknown>)[key]
      if (typeof inner === "object" && inner !== null) visit(inner)
      else if (key === "$ref" && typeof inner === "string" && !used.has(inner)) {
        used.add(inner)
        const [, , group = "", name = ""] = inner.split("/")
        visit(all[group as keyof Components]?.[name] ?? {})
      }
    }
  }
  visit(paths)
  const kept = (group: keyof Components) => {
    const entries = Object.entries(all[group]).filter(([name]) => used.has(`#/components/${group}/${name}`))
    return Object.fromEntries(sortedEntries(entries))
  }
  return { schemas: kept("schemas"), responses: kept("responses") }
}
