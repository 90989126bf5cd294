/** Selects the components that a document uses. */
import { sortEntries } from "../../../lib/order.ts"

/** Returns the components that the paths use, directly or indirectly, sorted by name. */
export function selectUsedComponents<Components extends Readonly<Record<string, Readonly<Record<string, object>>>>>(
  paths: object,
  all: Components,
): Components {
  const usedReferences = new Set<string>()
  const visit = (value: object): void => {
    for (const key in value) {
      const inner: unknown = (value as Record<string, unknown>)[key]
      if (typeof inner === "object" && inner !== null) visit(inner)
      else if (key === "$ref" && typeof inner === "string" && !usedReferences.has(inner)) {
        usedReferences.add(inner)
        const [, , group = "", name = ""] = inner.split("/")
        visit(all[group]?.[name] ?? {})
      }
    }
  }
  visit(paths)
  const groups = Object.entries(all).map(([group, components]) => {
    const used = Object.entries(components).filter(([name]) => usedReferences.has(`#/components/${group}/${name}`))
    return [group, Object.fromEntries(sortEntries(used))]
  })
  return Object.fromEntries(groups) as Components
}
