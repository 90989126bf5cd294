/** Creates elements. Text from a document is never parsed as HTML. */

/** A child of an element. Null, undefined and false are left out. */
export type Child = Node | string | number | null | undefined | false | readonly Child[]

/** Attributes by name. A function is added as an event listener; its name is `on` and the event. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined | Listener>>

// biome-ignore lint/suspicious/noExplicitAny: each event has its own type.
type Listener = (event: any) => void

/** Creates an element. `true` sets an attribute without a value; `false`, null and undefined leave it out. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value)
    else if (value === true) element.setAttribute(key, "")
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, String(value))
  }
  appendChildren(element, children)
  return element
}

function appendChildren(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    if (Array.isArray(child)) appendChildren(parent, child)
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

/** Returns the element of the page with this id. */
export function getElement(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement
}

/**
 * Renders the text of a comment. Blank lines separate paragraphs, lines that begin with `- ` form a list, and text in
 * backticks is code.
 */
export function renderProse(text: string | undefined): Child {
  if (!text) return null
  return text.split(/\n\s*\n/).map((block) => {
    const lines = block.split("\n").map((line) => line.trim())
    if (!lines.every((line) => /^[-*] /.test(line))) return h("p", {}, renderInline(lines.join(" ")))
    return h(
      "ul",
      {},
      lines.map((line) => h("li", {}, renderInline(line.slice(2)))),
    )
  })
}

function renderInline(text: string): Child {
  return text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part))
}
