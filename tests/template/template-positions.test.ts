/** Tests of the source positions in the syntax tree, for every fixture and every example. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { Attribute, Code, Node, Span } from "../../template/ast.ts"
import { parseModule } from "../../template/module.ts"
import { listFiles } from "../support/structure.ts"
import { root } from "../support/tsc.ts"

const sources = new Map(
  listFiles(["tests/fixtures/template", "examples", "scaffold"], ".tpl")
    .filter((file) => !file.includes("node_modules"))
    .map((file) => [file, readFileSync(join(root, file), "utf8")]),
)
sources.set(
  "defer",
  "template Page(x: Promise<string>) {\n  {defer { <p>{await x}</p> } pending { <i>…</i> } failed (error) { {String(error)} }}\n}\n",
)

/**
 * A part that must directly follow the earlier one in the source, and the texts with which it may begin and end.
 */
interface Part extends Span {
  readonly begins: string
  readonly ends: string
  readonly what: string
}

const part = (what: string, { start, end }: Span, begins: string, ends: string): Part => ({
  what,
  start,
  end,
  begins,
  ends,
})

function partsOfCode(code: Code): Part[] {
  return code.markup.flatMap((markup) => [part("markup", markup, "{<", "}"), ...readParts(markup.nodes)])
}

function partsOfAttribute(attribute: Attribute): Part[] {
  const { kind } = attribute
  if (kind === "spread") return [part(kind, attribute, "{", "}"), ...partsOfCode(attribute.code)]
  if (kind === "literal") return [part(kind, attribute, attribute.name, attribute.value ?? attribute.name)]
  return [part(kind, attribute, attribute.name, "}"), ...partsOfCode(attribute.code)]
}

function partsOfBlock(node: Extract<Node, { blocks: readonly Span[] }>): Part[] {
  const blocks = node.blocks.map(({ start, end }) => part("block", { start: start - 1, end: end + 1 }, "{", "}"))
  return [part(node.kind, node, "{", "}"), ...blocks, ...readParts(listBodies(node).flat())]
}

function listBodies(node: Extract<Node, { blocks: readonly Span[] }>): (readonly Node[])[] {
  if (node.kind === "component") return [node.children]
  if (node.kind === "for") return [node.body, ...(node.otherwise ? [node.otherwise] : [])]
  if (node.kind === "if") return node.branches.map(({ body }) => body)
  if (node.kind === "switch") return node.cases.map(({ body }) => body)
  return [node.body, node.pending, ...(node.failed ? [node.failed.body] : [])]
}

function readParts(nodes: readonly Node[]): Part[] {
  return nodes.flatMap((node): Part[] => {
    switch (node.kind) {
      case "text":
        return []
      case "verbatim":
        return [part(node.kind, node, node.text === " " ? "" : node.text, "")]
      case "const":
      case "expression":
        return [part(node.kind, node, "{", "}"), ...partsOfCode(node.code)]
      case "element": {
        const { content: inside } = node
        const tag = part("tag", node.tag, `<${node.name}`, ">")
        const end = inside ? [part("end tag", { start: inside.end, end: node.end }, "</", ">")] : []
        assert.ok(!inside || inside.start === node.tag.end)
        const attributes = node.attributes.flatMap(partsOfAttribute)
        return [part("element", node, "<", ">"), tag, ...attributes, ...readParts(node.children), ...end]
      }
      case "unfinished":
        throw new Error("a template without errors has no unfinished code")
      default:
        return partsOfBlock(node)
    }
  })
}

test("every node of every template has its position in the source", () => {
  const kinds = new Set<string>()
  for (const [file, source] of sources) {
    const { parts, problems } = parseModule(source)
    for (const template of problems.length > 0 ? [] : parts) {
      if (template.kind !== "template") continue
      const { bodySpan: inside, end } = template
      assert.is(source[inside.start - 1], "{", file)
      assert.is(inside.end, end - 1, file)
      for (const { what, begins, ends, ...span } of readParts(template.body)) {
        const text = source.slice(span.start, span.end)
        kinds.add(what)
        assert.ok(text.startsWith(begins) && text.endsWith(ends), `${file}: ${what} is ${text}`)
        assert.ok(span.start >= inside.start && span.end <= inside.end, `${file}: ${what}`)
      }
    }
  }
  assert.equal(
    [...kinds].sort().join(", "),
    "block, component, const, defer, dynamic, element, end tag, expression, for, if, literal, markup, spread, switch, tag, verbatim",
  )
})

test("a brace in a comment before a word is not the start of a block", () => {
  const source = "template Page(x: boolean) {\n  {/* { */ if (x) {a}}{/* { */ const y = 1}{/* { */ y}\n}\n"
  const [template] = parseModule(source).parts
  assert.ok(template?.kind === "template")
  const starts = template.body.flatMap((node) => (node.kind === "text" ? [] : [node.start]))
  assert.equal(starts, [source.indexOf("{/*"), source.indexOf("{/* { */ const"), source.indexOf("{/* { */ y")])
})

test.run()
