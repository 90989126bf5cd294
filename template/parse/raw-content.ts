/** Parses elements that contain no markup, such as scripts, styles, titles and text areas. */

import type { Attribute, Node, Span } from "../ast.ts"
import { findScriptLanguage, type Namespace, opaqueElements, textElements } from "../check/elements.ts"
import { styleFix } from "../check/scope.ts"
import { Problem } from "../diagnostic.ts"
import { findFirstToken } from "./code-reader.ts"
import type { Cursor } from "./cursor.ts"
import { refuseDeferInStyle } from "./defer.ts"
import { refuseTemplatesIn } from "./next-part.ts"
import { keepPartialNodes } from "./partial-nodes.ts"
import { ScriptParser } from "./script-parser.ts"
import type { Tag } from "./tag.ts"
import { createUnclosedAtEndProblem } from "./unclosed.ts"

const textRun = /[^<{}]+/y
const elsewhereFix = "Put the value into a data- attribute, or into an element that can hold it."

/**
 * Why a value cannot be in an import map. As JSON it would be valid, but it could name any module, even
 * `data:text/javascript,…`.
 */
const importMapProblem = [
  "a value in an import map would decide whose code runs",
  'Write the addresses as text. A value can be the address of one module: <script type="module" src={address}>.',
] as const

/** The content of an element. */
interface RawContent extends Span {
  readonly nodes: readonly Node[]
}

/** Parses the content and the end tag. Returns undefined if the element contains ordinary markup. */
export function parseRawContent(cursor: Cursor, tag: Tag, namespace: Namespace): RawContent | undefined {
  if (namespace === "xml") return undefined
  const name = tag.name.toLowerCase()
  if (textElements.has(name)) {
    const before: Node[] = []
    return keepPartialNodes(
      () => parsePlain(cursor, tag, before),
      (nodes) => [...before, ...nodes],
    )
  }
  const isOpaque = namespace === "html" && opaqueElements.has(name)
  if (name !== "script" && name !== "style" && !isOpaque) return undefined
  const start = cursor.position
  const end = findEndTag(cursor, tag)
  const content = cursor.source.slice(start, end.start)
  cursor.position = end.end
  if (isOpaque) refuseText(content, start, "{", `<${name}> takes no interpolation`, "Write &#123; for a literal brace.")
  if (name === "style") refuseText(content, start, "{{", "<style> takes no interpolation", styleFix)
  if (name === "style") refuseDeferInStyle(content, start)
  if (name === "style") cursor.scope.checkStyle(start, content)
  if (namespace !== "html") refuseMarkup(content, start, tag.name, namespace)
  const span = { start, end: end.start }
  const nodes =
    name === "script" ? parseScript(cursor.source, start, end.start, tag, namespace) : toVerbatimNodes(span, content)
  return { ...span, nodes }
}

function toVerbatimNodes(span: Span, text: string): Node[] {
  return text === "" ? [] : [{ kind: "verbatim", text, ...span }]
}

/**
 * Throws for tags in a script or style inside of SVG or MathML, unless they are in CDATA. There they would be elements.
 */
function refuseMarkup(content: string, start: number, name: string, namespace: Namespace): void {
  const tag = /<(?:!\[CDATA\[|[A-Za-z/!?])/g
  let at = -1
  for (let match = tag.exec(content); match && at < 0; match = tag.exec(content)) {
    const end = match[0] === "<![CDATA[" ? content.indexOf("]]>", tag.lastIndex) : -1
    if (end < 0) at = match.index
    tag.lastIndex = end + 3
  }
  if (at < 0) return
  throw new Problem(start + at, `in <${namespace}>, <${name}> contains markup`, "Put the content into <![CDATA[ … ]]>.")
}

function refuseText(content: string, start: number, text: string, message: string, fix: string): void {
  const at = content.indexOf(text)
  if (at >= 0) throw new Problem(start + at, message, fix)
}

/** Finds the end tag as browsers do, without looking at what the content means. */
function findEndTag(cursor: Cursor, tag: Tag): { start: number; end: number } {
  const pattern = new RegExp(`</${tag.name}(?=[\\s/>])`, "gi")
  pattern.lastIndex = cursor.position
  const match = pattern.exec(cursor.source)
  if (!match) throw createUnclosedAtEndProblem(tag)
  if (cursor.findsNextPart) refuseTemplatesIn(cursor.source, cursor.position, match.index)
  const close = /\s*>/y
  close.lastIndex = pattern.lastIndex
  if (close.test(cursor.source)) return { start: match.index, end: close.lastIndex }
  throw new Problem(match.index, "an end tag takes no attributes", `Write </${tag.name}>.`)
}

/**
 * Parses text and expressions of a title or a text area, and adds them to `nodes`. An end tag inside of an expression
 * does not count.
 */
function parsePlain(cursor: Cursor, tag: Tag, nodes: Node[]): RawContent {
  const start = cursor.position
  const endTag = new RegExp(`</${tag.name}\\s*>`, "iy")
  let text = ""
  const flush = (): void => {
    if (text !== "") nodes.push({ kind: "text", text })
    text = ""
  }
  for (;;) {
    const at = cursor.position
    if (cursor.match(endTag)) {
      flush()
      return { nodes, start, end: at }
    }
    text += cursor.match(textRun)?.[0] ?? ""
    if (cursor.startsWith("{")) {
      const node = parseExpressionInPlainText(cursor, tag)
      if (node) flush()
      if (node) nodes.push(node)
    } else if (cursor.startsWith("}")) {
      if (/\n[ \t]*$/.test(text)) throw createUnclosedAtEndProblem(tag)
      throw new Problem(cursor.position, 'stray "}"', 'Write {"}"} for a brace.')
    } else if (cursor.character === "") {
      throw createUnclosedAtEndProblem(tag)
    } else if (cursor.position === at) {
      if (/[A-Za-z/!?{]/.test(cursor.source[at + 1] ?? "")) {
        throw new Problem(at, `<${tag.name}> can contain only text and expressions`, "Write &lt; for a literal <.")
      }
      text += "&lt;"
      cursor.position++
    }
  }
}

function parseExpressionInPlainText(cursor: Cursor, tag: Tag): Node | undefined {
  const start = cursor.position
  const { token, hasComment } = findFirstToken(cursor.source, start + 1)
  if (token?.text === "}" && hasComment) {
    cursor.position = token.end
    return undefined
  }
  if (token && /^(?:if|for|switch|const)$/.test(token.text)) {
    const fix = "Use an expression, {condition ? a : b}, or a {const} before the element."
    throw new Problem(token.start, `<${tag.name}> can contain only text and expressions`, fix)
  }
  if (token?.text === "{") throw new Problem(start, "an expression has one pair of braces", "Write {name}.")
  cursor.position = start + 1
  const { code } = cursor.readExpression(start)
  return { kind: "expression", start, end: cursor.position, code, place: "plain", isChildren: false }
}

function findScriptType(attributes: readonly Attribute[]): string | undefined {
  if (attributes.some((attribute) => attribute.kind === "spread")) return undefined
  const type = attributes.find((attribute) => attribute.kind !== "spread" && attribute.name.toLowerCase() === "type")
  if (!type) return ""
  if (type.kind !== "literal") return undefined
  return (type.value ?? "").replace(/^["']|["']$/g, "")
}

/** Parses a script. It is literal, except for `{{expression}}`, which becomes JSON. */
function parseScript(source: string, start: number, end: number, tag: Tag, namespace: Namespace): Node[] {
  const content = source.slice(start, end)
  const comment = content.indexOf("<!--")
  if (comment >= 0 && /<script[\s/>]/i.test(content.slice(comment))) {
    const fix = 'Browsers then read past "</script>". Write "<\\!--" inside a string.'
    throw new Problem(start + comment, '"<!--" and "<script" are in one script', fix)
  }
  const first = content.indexOf("{{")
  if (first < 0) return toVerbatimNodes({ start, end }, content)
  const type = findScriptType(tag.attributes)
  const language = type === undefined ? "other" : findScriptLanguage(type)
  if (namespace === "html" && language === "importmap") throw new Problem(start + first, ...importMapProblem)
  if (namespace !== "html" || language === "other") {
    const kind = namespace === "html" ? "a script of this type" : `a script in <${namespace}>`
    throw new Problem(start + first, `${kind} takes no interpolation`, elsewhereFix)
  }
  const place = language === "json" ? "json" : "script"
  return new ScriptParser(source, start, end, place).parse()
}
