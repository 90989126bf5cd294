/** Finds form fields that browsers do not send, because they have no name (HTML §4.10.22.4). */

import type { ElementNode, Node } from "../../../template/ast.ts"
import { findAttribute, getChildBlocks, readLiteral } from "../../../template/check/node-facts.ts"
import { parseModule } from "../../../template/module.ts"
import { createTemplateCheck } from "./source-checks.ts"

const fieldElements = new Set(["input", "select", "textarea"])
/** Matches types of inputs that usually have no name and send nothing. */
const buttonType = /^(?:submit|button|reset|image)$/i
/** Matches attributes of fields that are not reported: a field has a name or is in no form, or a script may read it. */
const exemptAttribute = /^(?:name$|form$|disabled$|x-|v-|@|:|data-|hx-|on|is$)/
/** Matches attributes with which a script sends a form. */
const scriptAttribute = /^(?:x-|v-|@|:|on|hx-on)/

/** Returns a warning for each field without a name in the forms of a project's templates. */
export const findUnnamedFields = createTemplateCheck((text) => {
  if (!/<form\b/i.test(text)) return []
  const found: ElementNode[] = []
  for (const part of parseModule(text).parts) if (part.kind === "template") collectFields(part.body, false, found)
  return found.map((field) => ({
    code: "form_field",
    offset: field.start,
    message: `this <${field.name}> has no name, so no browser sends it`,
    fix: `Write name="${suggestName(field)}". If only a script reads it, write form="".`,
  }))
})

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

function isUnnamed(field: ElementNode): boolean {
  const { attributes } = field
  if (attributes.some((one) => one.kind === "spread" || exemptAttribute.test(one.name.toLowerCase()))) return false
  const type = findAttribute(field, "type")
  return !type || (type.kind === "literal" && !buttonType.test(readLiteral(type) ?? ""))
}

/** Returns true for a form that a browser or htmx sends. */
function isSent(form: ElementNode): boolean {
  if (form.attributes.some((one) => one.kind === "spread" || scriptAttribute.test(one.name.toLowerCase()))) return false
  return !/^dialog$/i.test(readLiteral(findAttribute(form, "method")) ?? "")
}

/** Suggests a name for a field: its id or its type. */
function suggestName(field: ElementNode): string {
  const values = ["id", "type"].map((name) => readLiteral(findAttribute(field, name)) ?? "")
  const found = values.find((text) => /^[\w-]+$/.test(text) && text !== "text")
  return found ?? (field.name === "input" ? "…" : field.name)
}
