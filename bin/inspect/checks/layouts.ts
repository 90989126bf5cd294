/** Checks that layouts print their page. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { printsChildren } from "../../../template/check/node-facts.ts"
import { parseModule } from "../../../template/module.ts"
import { createError, type Finding } from "./finding.ts"

/**
 * Returns a finding for a layout template that does not print its page. A missing layout is reported by the scan.
 */
export function checkLayoutTemplate(file: string, source: string): Finding[] {
  if (!/(?:^|\/)layout\.tpl$/.test(file)) return []
  const { parts, problems } = parseModule(source)
  // If a file cannot be parsed, the compiler reports only that.
  if (problems.length > 0) return []
  const found = parts.find((part) => part.kind === "template" && part.name === "Layout")
  // If `children` is passed as an argument, it may be printed elsewhere.
  if (found?.kind !== "template" || printsChildren(found.body)) return []
  if (/\bchildren\b/.test(source.slice(found.nameStart, found.end))) return []
  return [createLayoutError(file, findPosition(source, found.nameStart), "Write {children} where the page belongs.")]
}

/** Returns a finding for a layout in TypeScript that does not use its third parameter, which is the page. */
export function checkLayoutModule({ file, tokens, exports }: ModuleText): Finding[] {
  const layoutExport = exports.find(({ name }) => name === "Layout")
  const at = tokens.findIndex(({ text }, index) => {
    return text === "Layout" && /^(?:function|const|let|var)$/.test(tokens[index - 1]?.text ?? "")
  })
  const open = tokens.findIndex(({ text }, index) => index > at && text === "(")
  // A layout that is imported or returned by a call is checked by its type.
  const between = tokens.slice(at + 1, open).map(({ text }) => text)
  if (!layoutExport || at < 0 || open < 0 || !between.every((text) => /^(?:=|async|function|\w+)$/.test(text)))
    return []
  const depth = (tokens[open]?.depth ?? 0) + 1
  const close = tokens.findIndex(
    ({ text, depth: tokenDepth }, index) => index > open && text === ")" && tokenDepth < depth,
  )
  if (
    between.includes("=") &&
    !isFunction(
      between,
      tokens.slice(close + 1).map(({ text }) => text),
    )
  )
    return []
  const starts = tokens.flatMap(({ text, depth: tokenDepth }, index) => {
    return index > open &&
      index < close &&
      tokenDepth === depth &&
      (index === open + 1 || tokens[index - 1]?.text === ",")
      ? [text]
      : []
  })
  const page = starts[2]
  if (starts.includes("...")) return []
  const uses = (name: string) => tokens.slice(close).some(({ text }) => new RegExp(`\\b${name}\\b`).test(text))
  if (page !== undefined && (!/^[A-Za-z_]\w*$/.test(page) || uses(page))) return []
  return [createLayoutError(file, layoutExport, "Take it as the third parameter, and put it where the page belongs.")]
}

/** Returns true if a function follows `=`, and not a call. */
function isFunction(between: readonly string[], after: readonly string[]): boolean {
  return between.includes("function") || after[0] === "=>" || after[0] === ":"
}

function createLayoutError(file: string, { line, column }: { line: number; column: number }, fix: string): Finding {
  const message = "the layout does not print its children, so its pages never show"
  return createError("layout_children", { file, line, column }, message, fix)
}

function findPosition(source: string, offset: number): { line: number; column: number } {
  const lines = source.slice(0, offset).split("\n")
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 }
}
