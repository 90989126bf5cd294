/**
 * Finds elements that browsers put at another place than the template says. HTML parsers close, move or ignore some
 * elements (HTML §13.2.6). What is around a template is not known, and neither is what a component prints around its
 * children.
 */

import type { ElementNode, Node, Template, TypeScriptPart } from "../ast.ts"
import { Problem } from "../diagnostic.ts"
import { type Namespace, toInnerNamespace } from "./elements.ts"
import { getChildBlocks, getMarkup } from "./node-facts.ts"

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(" "))

/** Elements that close an open paragraph. */
const paragraphClosers = toSet(
  "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 " +
    "h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp",
)
/** Elements at which parsers stop looking for an element to close. */
const scopeBorders = toSet("applet caption html marquee object select table td template th")
/** Returns true for an element at which parsers stop looking for an open list item. */
const isSpecial = (name: string): boolean =>
  scopeBorders.has(name) ||
  (paragraphClosers.has(name) && !/^(?:address|dialog|div|p|search)$/.test(name)) ||
  /^(?:body|button|col|colgroup|frameset|head|t(?:body|foot|head|r))$/.test(name)
/** HTML elements that end an SVG or MathML element around them. */
const breakoutElements = toSet(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre " +
    "ruby s small span strong strike sub sup table tt u ul var",
)
const tableSections = "tbody tfoot thead"
const rowParents = toSet(`${tableSections} tr`)
/** The parents in which an element is valid. "" stands for the unknown parent around a template. */
const allowedParents: Readonly<Record<string, ReadonlySet<string>>> = {
  html: toSet(" "),
  head: toSet(" html"),
  body: toSet(" html"),
  frameset: toSet(" html frameset"),
  frame: toSet(" frameset"),
  caption: toSet(" table template"),
  colgroup: toSet(" table template"),
  tbody: toSet(" table template"),
  tfoot: toSet(" table template"),
  thead: toSet(" table template"),
  col: toSet(" table template colgroup"),
  tr: toSet(` table template ${tableSections}`),
  td: toSet(" template tr"),
  th: toSet(" template tr"),
}
const tableChildren = toSet("caption colgroup col tbody tfoot thead tr td th style script template")
const allowedChildren: Readonly<Record<string, ReadonlySet<string>>> = {
  table: tableChildren,
  tbody: tableChildren,
  tfoot: tableChildren,
  thead: tableChildren,
  tr: tableChildren,
  colgroup: toSet("col template"),
  frameset: toSet("frame frameset noframes"),
  head: toSet("base basefont bgsound link meta title noscript noframes style script template"),
}

const headingName = /^h[1-6]$/
/** Elements whose end tag may be omitted. Some elements in `<select>` and `<ruby>` close them. */
const impliedEndTags = toSet("dd dt li optgroup option p rb rp rt rtc")

/** Where an element is: its parent ("" if unknown), its namespace, and the kinds of open elements that it may close. */
interface ElementPlace {
  readonly parent: string
  readonly space: Namespace
  readonly open: ReadonlySet<string>
}
const unknownPlace: ElementPlace = { parent: "", space: "html", open: new Set() }

/** Returns the kind of open element that an element closes, or in which it is ignored; undefined if there is none. */
function findClosedElement(name: string, { parent, open }: ElementPlace): string | undefined {
  const kind = name === "dt" ? "dd" : name
  if (/^(?:a|button|dd|form|li|nobr|select)$/.test(kind) && open.has(kind))
    return kind === "dd" ? (parent === "dt" ? "dt" : kind) : kind
  if (paragraphClosers.has(name) && open.has("p")) return "p"
  if (headingName.test(name) && headingName.test(parent)) return parent
  if (/^opt(?:group|ion)$/.test(name) && parent === "option") return parent
  // In a select, `option` and `hr` close all elements whose end tag may be omitted.
  const isInGroup = name === "option" && parent === "optgroup"
  if (/^(?:optgroup|option|hr)$/.test(name) && open.has("select") && impliedEndTags.has(parent) && !isInGroup)
    return parent
  if (name === "input" && open.has("select")) return "select"
  const isRuby = /^r(?:b|p|t|tc)$/.test(name) && open.has("ruby") && impliedEndTags.has(parent)
  return isRuby && !(parent === "rtc" && /^r[pt]$/.test(name)) ? parent : undefined
}

/** Returns the place of an element's children. */
function toInnerPlace(name: string, { space, open }: ElementPlace): ElementPlace {
  const innerSpace = toInnerNamespace(name, space)
  const isBorder = space === "html" ? scopeBorders.has(name) : innerSpace === "html"
  const innerOpen = new Set(open)
  const remove = (...kinds: string[]): void => {
    for (const kind of kinds) innerOpen.delete(kind)
  }
  if (isBorder) remove("a", "p", "button", "nobr", "ruby", "select", "li", "dd")
  if (space === "html") {
    if (name === "button") remove("p")
    if (isSpecial(name)) remove("li", "dd")
    if (name === "template") remove("form")
    if (/^(?:a|button|dd|dt|form|li|nobr|p|ruby|select)$/.test(name)) innerOpen.add(name === "dt" ? "dd" : name)
  }
  return { parent: name, space: innerSpace, open: innerOpen }
}

/** Returns why parsers put an element at another place; undefined if they do not. */
export function findMisplacement(
  name: string,
  place: ElementPlace,
): readonly [message: string, fix: string] | undefined {
  const { parent, space } = place
  if (space !== "html")
    return breakoutElements.has(name)
      ? [`browsers close <${space}> before <${name}>`, `Move <${name}> out of <${space}>, or into <foreignObject>.`]
      : undefined
  const allowed = allowedParents[name]
  const parents = [...(allowed ?? [])]
    .filter((one) => one !== "")
    .map((one) => `<${one}>`)
    .join(", ")
  if (allowed && !allowed.has(parent))
    return [
      `browsers do not keep <${name}> in <${parent}>`,
      parents ? `Write it directly in ${parents}.` : "Remove it.",
    ]
  if (allowedChildren[parent] && !allowedChildren[parent].has(name)) return describeMove(`<${name}>`, parent)
  const closedElement = findClosedElement(name, place)
  if (closedElement === undefined) return undefined
  if (closedElement === "form")
    return [
      "browsers ignore a <form> inside a <form>",
      "End the outer form before it, or give its fields the attribute form.",
    ]
  return [
    `browsers close <${closedElement}> before <${name}>`,
    `End <${closedElement}> before it, or use another element in its place.`,
  ]
}

function describeMove(subject: string, parent: string): readonly [string, string] {
  const fix =
    rowParents.has(parent) || parent === "table"
      ? "Put it into a cell, <td> or <th>, or in front of the table."
      : `Move it out of <${parent}>.`
  return [`browsers move ${subject} out of <${parent}>`, fix]
}

/** Returns problems for all elements of a template that browsers put at another place. */
export function findNestingProblems(parts: readonly (TypeScriptPart | Template)[]): Problem[] {
  const problems: Problem[] = []
  for (const part of parts) if (part.kind === "template") walkNodes(part.body, unknownPlace, problems)
  return problems
}

function walkNodes(nodes: readonly Node[], place: ElementPlace, problems: Problem[]): void {
  for (const node of nodes) {
    for (const markup of getMarkup(node)) walkNodes(markup.nodes, unknownPlace, problems)
    if (node.kind === "element") walkElement(node, place, problems)
    else
      for (const block of getChildBlocks(node))
        walkNodes(block, node.kind === "component" ? unknownPlace : place, problems)
  }
}

function walkElement(node: ElementNode, place: ElementPlace, problems: Problem[]): void {
  const name = node.name.toLowerCase()
  const reason = node.nameCode || isHidden(node, name, place) ? undefined : findMisplacement(name, place)
  if (reason) problems.push(new Problem(node.start, ...reason))
  const here = reason || node.nameCode ? unknownPlace : toInnerPlace(name, place)
  const movesText =
    here.space === "html" &&
    allowedChildren[here.parent] &&
    node.children.some((child) => child.kind === "text" && /\S/.test(child.text))
  if (movesText) problems.push(new Problem(node.start, ...describeMove("text", name)))
  walkNodes(node.children, here, problems)
}

/** Returns true for an input that may be hidden. A table may contain hidden inputs. */
function isHidden({ attributes }: ElementNode, name: string, { parent }: ElementPlace): boolean {
  if (name !== "input" || !allowedChildren[parent] || parent === "head") return false
  return attributes.some((one) =>
    one.kind !== "literal"
      ? one.kind === "spread" || one.name.toLowerCase() === "type"
      : /^type$/i.test(one.name) && /^["']?hidden["']?$/i.test(one.value ?? ""),
  )
}
