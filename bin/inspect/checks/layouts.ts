/** Checks that layouts print their page. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { printsChildren } from "../../../template/check/node-facts.ts"
import { parseModule } from "../../../template/module.ts"
import { findClosing } from "../../project/module-tokens.ts"
import { createError, type Finding } from "./finding.ts"
import { createTemplateCheck } from "./source-checks.ts"

const code = "layout_children"
const message = "the layout does not print its children, so its pages never show"

/**
 * Returns an error for each layout template that does not print its page. A missing layout is reported by the scan.
 */
export const findEmptyLayouts = createTemplateCheck((text, file) => {
  if (!/(?:^|\/)layout\.tpl$/.test(file)) return []
  const { parts, problems } = parseModule(text)
  // If a file cannot be parsed, the compiler reports only that.
  if (problems.length > 0) return []
  const found = parts.find((part) => part.kind === "template" && part.name === "Layout")
  // If `children` is passed as an argument, it may be printed elsewhere.
  if (found?.kind !== "template" || printsChildren(found.body)) return []
  if (/\bchildren\b/.test(text.slice(found.nameStart, found.end))) return []
  return [{ code, offset: found.nameStart, message, fix: "Write {children} where the page belongs.", isError: true }]
})

/** Returns an error for a layout in TypeScript that does not use its third parameter, which is the page. */
export function checkLayoutModule({ file, tokens, exports }: ModuleText): Finding[] {
  const layoutExport = exports.find(({ name }) => name === "Layout")
  const texts = tokens.map(({ text }) => text)
  const at = texts.findIndex((text, index) => text === "Layout" && /^(?:function|const)$/.test(texts[index - 1] ?? ""))
  const open = texts.indexOf("(", at)
  const close = findClosing(tokens, open)
  // A layout that is imported or returned by a call is checked by its type.
  const isFunction = texts[at - 1] === "function" || /^(?:=>|:)$/.test(texts[close + 1] ?? "")
  const between = texts.slice(at + 1, open)
  if (!layoutExport || at < 0 || open < 0 || !isFunction || !between.every((text) => /^(?:=|async)$/.test(text)))
    return []
  const depth = tokens[open + 1]?.depth
  const starts = texts.slice(open + 1, close).filter((_, index) => {
    return tokens[open + 1 + index]?.depth === depth && (index === 0 || texts[open + index] === ",")
  })
  const [, , page] = starts
  const isUsed =
    page !== undefined && (!/^[A-Za-z_]\w*$/.test(page) || texts.slice(close).some((text) => hasWord(text, page)))
  if (starts.includes("...") || isUsed) return []
  const fix = "Take it as the third parameter, and put it where the page belongs."
  return [createError(code, { file, line: layoutExport.line, column: layoutExport.column }, message, fix)]
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(text)
}
