// Parses XML 1.0 with namespaces into a tree. It throws if the text is not well-formed.

import { SaxesParser } from "saxes"

/** An element as a parser reads it. */
export interface XmlNode {
  readonly name: string
  /** The namespace of the element. */
  readonly uri: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
  /** The text directly inside, including CDATA. */
  text: string
}

/** Returns the root of a document. @throws Error if it is not well-formed. */
export function parseXml(text: string): XmlNode {
  const parser = new SaxesParser({ xmlns: true })
  const open: XmlNode[] = []
  let root: XmlNode | undefined
  const add = (more: string) => {
    const last = open.at(-1)
    if (last) last.text += more
  }
  parser.on("error", (error) => {
    throw new Error(`${error.message}\n${text}`)
  })
  parser.on("text", add)
  parser.on("cdata", add)
  parser.on("opentag", ({ name, uri, attributes }) => {
    const values = Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]))
    const node: XmlNode = { name, uri, attributes: values, children: [], text: "" }
    open.at(-1)?.children.push(node)
    root ??= node
    open.push(node)
  })
  parser.on("closetag", () => open.pop())
  parser.write(text).close()
  if (!root) throw new Error(`no element\n${text}`)
  return root
}
