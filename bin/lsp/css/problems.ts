/** Finds mistakes in CSS, and edits that correct them. */

import type { Diagnostic, Range } from "../protocol.ts"
import type { PartDocument } from "./part-document.ts"
import type { ParsedPart } from "./part-reader.ts"

/** Warnings about style are turned off, because they are not mistakes. */
const validationSettings = {
  validate: true,
  lint: { emptyRules: "ignore", vendorPrefix: "ignore", argumentsInColorFunction: "ignore" },
} as const

/** A code action that corrects a mistake (LSP 3.17, CodeAction), and the name that it inserts. */
interface Fix {
  readonly name: string
  readonly action: object
}

/** Returns the mistakes in the CSS of one element or attribute. */
export function findProblems(parsed: ParsedPart): Diagnostic[] {
  const { service, document, sheet } = parsed
  const found = service.doValidation(document, sheet, validationSettings) as Diagnostic[]
  return found
    .filter((one) => !isEmptyCustomProperty(document, one))
    .map((one) => {
      const [start, end] = [document.offsetAt(one.range.start), document.offsetAt(one.range.end)]
      const [near] = findFixes(parsed, one.range, [one])
      const message = near ? `${one.message}. The nearest is ${near.name}` : one.message
      // Editors do not show an empty range, so it includes the character before.
      const first = start === end ? start - 1 : start
      return { ...one, message, range: { start: document.positionAt(first), end: document.positionAt(end) } }
    })
}

/** Returns code actions that replace an unknown property by a similar name. */
export function findFixes(
  { service, document, sheet }: ParsedPart,
  range: Range,
  diagnostics: readonly Diagnostic[],
): Fix[] {
  const actions = service.doCodeActions2(document, range, { diagnostics }, sheet)
  return actions.flatMap(({ edit, ...action }): Fix[] => {
    const [change] = edit?.documentChanges ?? []
    const edits = change && "edits" in change ? change.edits : []
    const [first] = edits
    if (!first || !("newText" in first)) return []
    return [{ name: first.newText, action: { ...action, edit: { changes: { [document.uri]: edits } } } }]
  })
}

/**
 * Returns true for the error that `--name:;` has no value. Custom properties may be empty (CSS Custom Properties 1,
 * section 2).
 */
function isEmptyCustomProperty(document: PartDocument, { code, range }: Diagnostic): boolean {
  return code === "css-propertyvalueexpected" && /--[^\s:;{}]+\s*:\s*$/.test(document.getTextBefore(range.start))
}
