/** Finds form fields that browsers do not send, because they have no name (HTML §4.10.22.4). */

import { findLineStarts, locate } from "../../../lib/scan/position.ts"
import type { Attribute, ElementNode, Node } from "../../../template/ast.ts"
import { getChildBlocks } from "../../../template/check/node-facts.ts"
import { parseModule } from "../../../template/module.ts"
import { createWarning, type Finding } from "./finding.ts"
import { createTemplateCheck } from "./source-checks.ts"

const fieldElements = new Set(["input", "select", "textarea"])
/** Matches types of inputs that usually have no name and send nothing. */
const buttonType = /^(?:submit|button|reset|image)$/i
/** Matches attributes of fields that are not reported: a field has a name or is in no form, or a script may read it. */
const exemptAttribute = /^(?:name$|form$|disabled$|x-|v-|@|:|data-|hx-|on|is$)/
/** Matches attributes with which a script sends a form. */
const scriptAttribute = /^(?:x-|v-|@|:|on|hx-on)/

/** Returns a warning for each field without a name in the forms of a project's templates. */
export const findUnnamedFields = createTemplateCheck((file, text) =>
  /<form\b/i.test(text) ? findInTemplate(file, text) : [],
)

function findInTemplate(file: string, text: string): Finding[] {
  const found: ElementNode[] = []
  for (const part of parseModule(text).parts) if (part.kind === "template") collectFields(part.body, false, found)
  const starts = findLineStarts(text)
  return found.map((field) => {
    const { line, column } = locate(starts, field.start)
    const message = `this <${field.name}> has no name, so no browser sends it`
    const fix = `Write name="${suggestName(field)}". If only a script reads it, write form="".`
    return createWarning("form_field", { file, line: line + 1, column: column + 1 }, message, fix)
  })
}

function collectFields(nodes: readonly Node[], isInForm: boolean, found: ElementNode[]): void {
  for (const node of nodes) {
    if (node.kind !== "element") {
      for (const part of getChildBlocks(node)) collectFields(part, isInForm, found)
      continue
    }
    const name = node.name.toLowerCase()
    if (isInForm && fieldElements.has(name) && isUnnamed(node)) found.push(node)
    collectFields(node.children, name === "form" ? isSent(node) : isInForm, found)
  }
}

function isUnnamed({ attributes }: ElementNode): boolean {
  if (attributes.some((one) => one.kind === "spread" || exemptAttribute.test(one.name.toLowerCase()))) return false
  const type = attributes.find((one) => one.kind !== "spread" && one.name.toLowerCase() === "type")
  return !type || (type.kind === "literal" && !buttonType.test(readText(type)))
}

/** Returns true for a form that a browser or htmx sends. */
function isSent({ attributes }: ElementNode): boolean {
  return attributes.every((one) => {
    if (one.kind === "spread" || scriptAttribute.test(one.name.toLowerCase())) return false
    return one.name.toLowerCase() !== "method" || !/^dialog$/i.test(readText(one))
  })
}

/** Suggests a name for a field: its id or its type. */
function suggestName({ name, attributes }: ElementNode): string {
  const readValues = (name: string) =>
    attributes.flatMap((one) => (one.kind !== "spread" && one.name.toLowerCase() === name ? readText(one) : []))
  const [found] = [...readValues("id"), ...readValues("type")].filter(
    (text) => /^[\w-]+$/.test(text) && text !== "text",
  )
  return found ?? (name === "input" ? "…" : name)
}

function readText(attribute: Attribute): string {
  return attribute.kind === "literal" ? (attribute.value ?? "").replace(/^(["'])(.*)\1$/s, "$2") : ""
}
