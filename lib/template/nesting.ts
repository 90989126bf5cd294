/**
 * Finds elements that browsers put elsewhere than the template says, because the HTML parser closes, moves or ignores elements
 * (HTML §13.2.6). What surrounds a template, and what a component prints around its markup, is unknown and may be anything.
 */

import type { ElementNode, Node, Plain, Template } from "./ast.ts"
import { Problem } from "./diagnostic.ts"
import { type Space, spaceInside } from "./elements.ts"
import { inside, markupIn } from "./facts.ts"

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Elements that close an open paragraph. */
const blocks = set(
  "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 " +
    "h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp",
)
/** Elements outside of which the parser looks for no element to close. */
const borders = set("applet caption html marquee object select table td template th")
/** Elements that end the search for an open item of a list: all blocks but a few, and others that hold markup. */
const isSpecial = (name: string): boolean =>
  borders.has(name) ||
  (blocks.has(name) && !/^(?:address|dialog|div|p|search)$/.test(name)) ||
  /^(?:body|button|col|colgroup|frameset|head|t(?:body|foot|head|r))$/.test(name)
/** Elements of HTML that end an SVG or MathML element around them. */
const leaving = set(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre " +
    "ruby s small span strong strike sub sup table tt u ul var",
)
/** Elements that are right only in these, and the others that these may have. "" is the unknown place around a template. */
const sections = "tbody tfoot thead"
const rows = set(`${sections} tr`)
const parents: Readonly<Record<string, ReadonlySet<string>>> = {
  html: set(" "),
  head: set(" html"),
  body: set(" html"),
  frameset: set(" html frameset"),
  frame: set(" frameset"),
  caption: set(" table template"),
  colgroup: set(" table template"),
  tbody: set(" table template"),
  tfoot: set(" table template"),
  thead: set(" table template"),
  col: set(" table template colgroup"),
  tr: set(` table template ${sections}`),
  td: set(" template tr"),
  th: set(" template tr"),
}
const inTable = set("caption colgroup col tbody tfoot thead tr td th style script template")
const onlyChildren: Readonly<Record<string, ReadonlySet<string>>> = {
  table: inTable,
  tbody: inTable,
  tfoot: inTable,
  thead: inTable,
  tr: inTable,
  colgroup: set("col template"),
  frameset: set("frame frameset noframes"),
  head: set("base basefont bgsound link meta title noscript noframes style script template"),
}

const heading = /^h[1-6]$/
/** Elements that an end tag may be missing of: these are closed inside `<ruby>`. */
const implied = set("dd dt li optgroup option p rb rp rt rtc")

/** The place of an element: its parent ("" for an unknown one), and the open elements that others may close, by kind. */
interface Place {
  readonly parent: string
  readonly space: Space
  readonly open: ReadonlySet<string>
}
const unknown: Place = { parent: "", space: "html", open: new Set() }

/** Returns the kind of open elements that an element closes, or in which it is ignored. */
function closed(name: string, { parent, open }: Place): string | undefined {
  const kind = name === "dt" ? "dd" : name
  if (/^(?:a|button|dd|form|li|nobr|select)$/.test(kind) && open.has(kind))
    return kind === "dd" ? (parent === "dt" ? "dt" : kind) : kind
  if (blocks.has(name) && open.has("p")) return "p"
  if (heading.test(name) && heading.test(parent)) return parent
  if (/^opt(?:group|ion)$/.test(name) && parent === "option") return parent
  // In a select, an option and a line end all elements whose end tag may be missing.
  const inGroup = name === "option" && parent === "optgroup"
  if (/^(?:optgroup|option|hr)$/.test(name) && open.has("select") && implied.has(parent) && !inGroup)
    return parent
  if (name === "input" && open.has("select")) return "select"
  const isRuby = /^r(?:b|p|t|tc)$/.test(name) && open.has("ruby") && implied.has(parent)
  return isRuby && !(parent === "rtc" && /^r[pt]$/.test(name)) ? parent : undefined
}

/** Returns the place of the children of an element. */
function within(name: string, { space, open }: Place): Place {
  const inner = spaceInside(name, space)
  const isBorder = space === "html" ? borders.has(name) : inner === "html"
  const next = new Set(open)
  const remove = (...kinds: string[]): void => {
    for (const kind of kinds) next.delete(kind)
  }
  if (isBorder) remove("a", "p", "button", "nobr", "ruby", "select", "li", "dd")
  if (space === "html") {
    if (name === "button") remove("p")
    if (isSpecial(name)) remove("li", "dd")
    if (name === "template") remove("form")
    if (/^(?:a|button|dd|dt|form|li|nobr|p|ruby|select)$/.test(name)) next.add(name === "dt" ? "dd" : name)
  }
  return { parent: name, space: inner, open: next }
}

/** Returns the reason why the parser does not keep an element in its place; undefined if it does. */
export function misplaced(name: string, place: Place): readonly [message: string, fix: string] | undefined {
  const { parent, space } = place
  if (space !== "html")
    return leaving.has(name)
      ? [
          `browsers close <${space}> before <${name}>`,
          `Move <${name}> out of <${space}>, or into <foreignObject>.`,
        ]
      : undefined
  const wanted = parents[name]
  const other = [...(wanted ?? [])]
    .filter((one) => one !== "")
    .map((one) => `<${one}>`)
    .join(", ")
  if (wanted && !wanted.has(parent))
    return [
      `browsers do not keep <${name}> in <${parent}>`,
      other ? `Write it directly in ${other}.` : "Remove it.",
    ]
  if (onlyChildren[parent] && !onlyChildren[parent].has(name)) return outside(`<${name}>`, parent)
  const ended = closed(name, place)
  if (ended === undefined) return undefined
  if (ended === "form")
    return [
      "browsers ignore a <form> inside a <form>",
      "End the outer form before it, or give its fields the attribute form.",
    ]
  return [
    `browsers close <${ended}> before <${name}>`,
    `End <${ended}> before it, or use another element in its place.`,
  ]
}

function outside(what: string, parent: string): readonly [string, string] {
  const fix =
    rows.has(parent) || parent === "table"
      ? "Put it into a cell, <td> or <th>, or in front of the table."
      : `Move it out of <${parent}>.`
  return [`browsers move ${what} out of <${parent}>`, fix]
}

/** Returns the elements of a template that browsers put elsewhere. */
export function nestingProblems(parts: readonly (Plain | Template)[]): Problem[] {
  const found: Problem[] = []
  for (const part of parts) if (part.kind === "template") walk(part.body, unknown, found)
  return found
}

function walk(nodes: readonly Node[], place: Place, found: Problem[]): void {
  for (const node of nodes) {
    for (const markup of markupIn(node)) walk(markup.nodes, unknown, found)
    if (node.kind === "element") walkElement(node, place, found)
    else for (const block of inside(node)) walk(block, node.kind === "component" ? unknown : place, found)
  }
}

function walkElement(node: ElementNode, place: Place, found: Problem[]): void {
  const name = node.name.toLowerCase()
  const reason = node.named || isHidden(node, name, place) ? undefined : misplaced(name, place)
  if (reason) found.push(new Problem(node.start, ...reason))
  const here = reason || node.named ? unknown : within(name, place)
  const moved =
    here.space === "html" &&
    onlyChildren[here.parent] &&
    node.children.some((child) => child.kind === "text" && /\S/.test(child.text))
  if (moved) found.push(new Problem(node.start, ...outside("text", name)))
  walk(node.children, here, found)
}

/** Returns true for an input that may be hidden, which a table may contain. */
function isHidden({ attributes }: ElementNode, name: string, { parent }: Place): boolean {
  if (name !== "input" || !onlyChildren[parent] || parent === "head") return false
  return attributes.some((one) =>
    one.kind !== "literal"
      ? one.kind === "spread" || one.name.toLowerCase() === "type"
      : /^type$/i.test(one.name) && /^["']?hidden["']?$/i.test(one.value ?? ""),
  )
}
