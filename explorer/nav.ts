/** The list of operations, grouped by tag, with a search. */
import type { Api, Operation } from "./document.ts"
import { type Child, getElement, h } from "./dom.ts"
import { breakAtSlashes, createBadge } from "./operation.ts"

/** Returns the hash of the link to an operation. */
export function toHash({ id }: Operation): string {
  return `#/${encodeURI(id.replace(" ", ""))}`
}

/** Shows the operations that contain all words of the search. */
export function showNav(api: Api, search: string, current: Operation | undefined): void {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = api.operations.filter((operation) => {
    const { method, path, summary, description, tags } = operation
    const text = [method, path, summary, description, ...tags].join(" ").toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const nothing = found.length === 0 && h("p", { class: "quiet" }, "No operation matches.")
  getElement("nav").replaceChildren(
    h(
      "div",
      {},
      groupByTag(api, found).map((group) => createNavGroup(group, current)),
      nothing,
    ),
  )
}

/** The operations of one tag. */
export interface OperationGroup {
  /** The name of the tag; empty if the document has no tags. */
  readonly name: string
  readonly description: string
  readonly operations: readonly Operation[]
}

/** Groups operations by tag, in the order of the document. Operations without a tag come last. */
export function groupByTag(api: Api, operations: readonly Operation[]): OperationGroup[] {
  const tagged = api.tags.map(({ name, description }) => {
    return { name, description, operations: operations.filter(({ tags }) => tags.includes(name)) }
  })
  const rest = operations.filter(({ tags }) => tags.length === 0)
  const other = { name: api.tags.length > 0 ? "Other" : "", description: "", operations: rest }
  return [...tagged, other].filter((group) => group.operations.length > 0)
}

function createNavGroup({ name, description, operations }: OperationGroup, current?: Operation): Child {
  const items = operations.map((operation) => {
    const { id, method, path, summary, deprecated } = operation
    const attributes = {
      href: toHash(operation),
      "aria-current": id === current?.id && "page",
      class: deprecated && "deprecated",
      title: summary,
    }
    const words = h("span", {}, breakAtSlashes(path), summary && h("small", {}, summary))
    return h("li", {}, h("a", attributes, createBadge(method), words))
  })
  return h("section", {}, name && h("h2", { title: description }, name), h("ul", {}, items))
}
