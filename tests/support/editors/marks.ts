/** Returns the scopes that the parts of a template must have, by the compiler's syntax tree. */

import type { Attribute, Code, Node, Span } from "../../../template/ast.ts"
import { parseModule } from "../../../template/module.ts"

/** A character, and a scope that it must have. */
export interface Mark {
  readonly at: number
  readonly scope: string
  readonly what: string
}

const block = ["punctuation.section.block.begin.tpl", "punctuation.section.block.end.tpl"] as const
const braces = ["punctuation.section.embedded.begin.tpl", "punctuation.section.embedded.end.tpl"] as const
const tags = ["punctuation.definition.tag.begin.html", "punctuation.definition.tag.end.html"] as const
const code = "meta.embedded.expression.tpl"

const around = (what: string, { start, end }: Span, [begin, close]: readonly [string, string]): Mark[] => [
  { at: start, scope: begin, what },
  { at: end - 1, scope: close, what: `end of ${what}` },
]

function ofCode({ markup }: Code): Mark[] {
  return markup.flatMap((one) => [...around("markup", one, block), ...ofNodes(one.nodes)])
}

/** Returns marks for the first character of code, and for the markup in it. */
function ofExpression(what: string, one: Code): Mark[] {
  return [{ at: one.start, scope: code, what }, ...ofCode(one)]
}

function ofAttribute(attribute: Attribute): Mark[] {
  const end = { at: attribute.end - 1, scope: braces[1], what: "end of attribute" }
  if (attribute.kind === "spread") {
    return [...around("spread", attribute, braces), ...ofExpression("spread", attribute.code)]
  }
  const name = { at: attribute.start, scope: "entity.other.attribute-name.html", what: "attribute" }
  if (attribute.kind === "dynamic") return [name, end, ...ofExpression("attribute", attribute.code)]
  if (!/["']$/.test(attribute.value ?? "")) return [name]
  return [name, { ...end, scope: "punctuation.definition.string.end.html" }]
}

function ofElement(node: Extract<Node, { kind: "element" }>): Mark[] {
  const { start, tag, content: inside, end, nameCode: named, attributes, children } = node
  return [
    ...around("tag", tag, tags),
    ...(named ? ofExpression("name", named) : [{ at: start + 1, scope: "entity.name.tag.html", what: "name" }]),
    ...(inside ? around("end tag", { start: inside.end, end }, tags) : []),
    ...attributes.flatMap(ofAttribute),
    ...ofNodes(children),
  ]
}

function ofBlocks(node: Extract<Node, { blocks: readonly Span[] }>): Mark[] {
  const spans = node.blocks.map(({ start, end }) => ({ start: start - 1, end: end + 1 }))
  return [
    ...around(node.kind, node, braces),
    ...spans.flatMap((span) => around("block", span, block)),
    ...ofParts(node),
  ]
}

function ofParts(node: Extract<Node, { blocks: readonly Span[] }>): Mark[] {
  switch (node.kind) {
    case "component":
      return [...ofExpression("call", node.call), ...ofNodes(node.children)]
    case "for":
      return [...ofExpression("loop", node.header), ...ofNodes([...node.body, ...(node.otherwise ?? [])])]
    case "if":
      return node.branches.flatMap(({ condition, body }) => [
        ...(condition ? ofExpression("condition", condition) : []),
        ...ofNodes(body),
      ])
    case "switch":
      return [
        ...ofExpression("subject", node.subject),
        ...node.cases.flatMap(({ test, body }) => [...(test ? ofExpression("case", test) : []), ...ofNodes(body)]),
      ]
    case "defer":
      return ofNodes([...node.body, ...node.pending, ...(node.failed?.body ?? [])])
  }
}

function ofNodes(nodes: readonly Node[]): Mark[] {
  return nodes.flatMap((node): Mark[] => {
    if (node.kind === "text" || node.kind === "verbatim" || node.kind === "unfinished") return []
    if (node.kind === "element") return ofElement(node)
    if (node.kind === "expression" || node.kind === "const") {
      return [...around(node.kind, node, braces), ...ofExpression(node.kind, node.code)]
    }
    return ofBlocks(node)
  })
}

/** Returns the marks of a file, and the code outside templates; undefined if the file has errors. */
export function readMarks(text: string, file: string): { marks: Mark[]; plain: Span[] } | undefined {
  const { parts, problems } = parseModule(text, file.endsWith(".xml.tpl") ? "xml" : "html")
  if (problems.length > 0) return undefined
  const marks = parts.flatMap((part): Mark[] => {
    if (part.kind === "plain") return []
    const { start, nameStart, bodySpan: inside, body } = part
    return [
      { at: start, scope: "storage.type.template.tpl", what: "template" },
      { at: nameStart, scope: "entity.name.function.tpl", what: "name of template" },
      ...around("body", { start: inside.start - 1, end: inside.end + 1 }, block),
      ...ofNodes(body),
    ]
  })
  return { marks, plain: parts.filter(({ kind }) => kind === "plain") }
}
