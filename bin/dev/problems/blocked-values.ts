/** Warns of values that the filters of templates block. The page itself does not show this. */

import { relative, sep } from "node:path"
import { shortenText } from "../../../lib/text.ts"
import type { Problem } from "../../project/problems.ts"
import { toFilePath } from "../../project/stack-frames.ts"
import type { SourcePlace } from "../bundle/program-sources.ts"

/** The longest value to show, in characters. */
const maxShownLength = 40
const blockedFix =
  'Values that could run code are replaced. docs/reference/templates.md lists what each attribute lets through, under "What is escaped".'

/** Returns the template in a stack, or the project's own file with an `html` literal if there is no template. */
export function findPlace(root: string, stack: string): SourcePlace | undefined {
  const places: SourcePlace[] = []
  for (const match of stack.matchAll(/^\s+at (?:.*\()?(.+?):(\d+):(\d+)\)?$/gm)) {
    const [, path = "", line, column] = match
    const file = relative(root, toFilePath(path)).split(sep).join("/")
    const isOwn =
      !/^(?:\.\.\/|\/|node:|.*\bnode_modules\/|\.fw\/)/.test(file) &&
      !/^\w+:/.test(path.replace(/^file:|^[A-Za-z]:\\/, ""))
    if (isOwn) places.push({ file, line: Number(line), column: Number(column) })
  }
  return places.find(({ file }) => file.endsWith(".tpl")) ?? places[0]
}

/** Returns the warning for a blocked value, without its position. */
function toBlockedProblem(attribute: string, value: string): Problem {
  const text = JSON.stringify(shortenText(value, maxShownLength))
  const message = `the value of ${attribute || "an attribute"} is blocked: ${text}`
  return { message, fix: blockedFix }
}

/**
 * Returns the hook for blocked values. It reports each position once, even if the template runs again.
 *
 * @param report receives the warning, and its position if it is known.
 */
export function watchBlockedValues(
  root: string,
  report: (problem: Problem, place: SourcePlace | undefined) => void,
): (attribute: string, value: string) => void {
  const reportedKeys = new Set<string>()
  return (attribute, value) => {
    const location = findPlace(root, new Error("blocked").stack ?? "")
    const key = location ? `${location.file}:${location.line}:${attribute}` : attribute
    if (reportedKeys.has(key)) return
    reportedKeys.add(key)
    report(toBlockedProblem(attribute, value), location)
  }
}
