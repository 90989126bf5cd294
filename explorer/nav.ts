/** The list of operations by tag, and its search. Used by main. */
import type { Api, Operation } from "./document.ts"
import { byId, type Child, h } from "./dom.ts"
import { badge, breakable } from "./operation.ts"

/** The address of an operation within the page. */
export function hashOf({ id }: Operation): string {
  return `#/${encodeURI(id.replace(" ", ""))}`
}

/** Fills the list with the operations that hold every word of the search. */
export function showNav(api: Api, search: string, current: Operation | undefined): void {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = api.operations.filter((operation) => {
    const { method, path, summary, description, tags } = operation
    const text = [method, path, summary, description, ...tags].join(" ").toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const groups = api.tags.map(({ name, description }) => {
    return group(
      name,
      description,
      found.filter(({ tags }) => tags.includes(name)),
      current,
    )
  })
  const rest = found.filter(({ tags }) => tags.length === 0)
  const nothing = found.length === 0 && h("p", { class: "quiet" }, "No operation holds that.")
  byId("nav").replaceChildren(
    h("div", {}, groups, group(api.tags.length > 0 ? "Other" : "", "", rest, current), nothing),
  )
}

function group(
  name: string,
  description: string,
  operations: readonly Operation[],
  current?: Operation,
): Child {
  if (operations.length === 0) return null
  const items = operations.map((operation) => {
    const { id, method, path, summary, deprecated } = operation
    const attributes = {
      href: hashOf(operation),
      "aria-current": id === current?.id && "page",
      class: deprecated && "deprecated",
      title: summary,
    }
    return h("li", {}, h("a", attributes, badge(method), h("span", {}, breakable(path))))
  })
  return h("section", {}, name && h("h2", { title: description }, name), h("ul", {}, items))
}
