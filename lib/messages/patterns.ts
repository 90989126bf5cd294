/** Messages about path patterns. Each shows the pattern and marks the segment that is wrong. */
import { describeType, formatValue } from "../text.ts"
import type { Messages } from "./message.ts"

/** The pattern, the wrong segment, and the offset at which the segment begins in the pattern. */
type PatternFacts = [pattern: string, part: string, offset: number]

export const patternMessages = {
  "pattern.kind": (value: unknown) => [
    `${describeType(value)} is not a pattern`,
    'Write a path, such as "/users/{id}".',
  ],
  "pattern.slash": (pattern: string) => [
    `the pattern ${formatValue(pattern)} does not start with a slash`,
    `Write ${formatValue(`/${pattern}`)}.`,
  ],
  "pattern.empty": (...facts: PatternFacts) => [
    formatProblem(facts, "has an empty segment"),
    "Remove one of the slashes.",
  ],
  "pattern.name": (...facts: PatternFacts) => [
    formatProblem(facts, `has no valid parameter name in ${formatValue(facts[1])}`),
    suggestSpelling(facts[1]) ?? "Use letters, digits, _ and -, such as {id}.",
  ],
  "pattern.end": (...facts: PatternFacts) => [
    formatProblem(facts, "has a catch-all before its end"),
    "A * or [...name] must be the last segment.",
  ],
  "pattern.twice": (...facts: PatternFacts) => [
    formatProblem(facts, `has the parameter ${formatValue(facts[1].replace(/^(?:\[\.\.\.|[{:[])|[}\]]$/g, ""))} twice`),
    "Give each parameter its own name.",
  ],
  "pattern.query": (...facts: PatternFacts) => [
    formatProblem(facts, `contains more than a path in ${formatValue(facts[1])}`),
    "Remove the query and the fragment. A handler reads the query with c.query().",
  ],
  "pattern.mixed": (...facts: PatternFacts) => [
    formatProblem(facts, `mixes text and a parameter in ${formatValue(facts[1])}`),
    suggestSpelling(facts[1]) ?? "A parameter takes a whole segment: /files/{name}.",
  ],
  "pattern.encoding": (...facts: PatternFacts) => [
    formatProblem(facts, "is not valid percent-encoded UTF-8"),
    "Write the characters themselves, or encode a % as %25.",
  ],
  "pattern.segment": (...facts: PatternFacts) => [
    formatProblem(facts, `has a segment that no request can have, ${formatValue(decodeURIComponent(facts[1]))}`),
    "Write the path without dot segments, backslashes and NUL.",
  ],
  "pattern.optional_end": (...facts: PatternFacts) => [
    formatProblem(facts, "has an optional catch-all before its end"),
    "[[...name]] must be the last directory.",
  ],
  "pattern.optional": (...facts: PatternFacts) => [
    formatProblem(facts, `has an optional parameter, ${facts[1]}`),
    `Write two directories: the parent itself, and ${facts[1].slice(1, -1)}.`,
  ],
  "pattern.group": (...facts: PatternFacts) => [
    formatProblem(facts, `has a group that does not end, ${formatValue(facts[1])}`),
    "The whole name of a group is in parentheses: (admin).",
  ],
} satisfies Messages

/**
 * Returns how fw writes something that other frameworks write in this way: a condition, the rest of a path, or an
 * optional parameter.
 */
function suggestSpelling(part: string): string | undefined {
  const [name = "path"] = /[A-Za-z_$][\w$-]*/.exec(part) ?? []
  const parameter = part.startsWith("[") ? `[${name}]` : `{${name}}`
  const [, condition] = /^(?:\{[\w$-]+:|:[\w$-]+[({])(.+)[)}]$/.exec(part) ?? []
  const isRest = condition === undefined ? restSpelling.test(part) : /^(?:\.[*+]|path)$/.test(condition)
  if (condition !== undefined && !isRest)
    return `A pattern has no conditions. Write ${parameter}, and check the value in the handler, such as by c.paramInt(${formatValue(name)}).`
  if (/\?[\]}]?$|^\[\[(?=.*\w).*\]\]$/.test(part))
    return `Write two patterns: one without this segment, and one with ${isRest ? `[...${name}]` : parameter}.`
  return isRest ? `Write [...${name}] for the rest of a path.` : undefined
}

/**
 * How other frameworks write the rest of a path: `{name...}`, `[name...]`, `{...name}`, `*name`, `{*name}`, `{name*}`,
 * `:name+`, `**` and `(.*)`.
 */
const restSpelling = /\.{3}\w|\w\.{3}|^\{?\*{1,2}\w|^[{:][\w$-]+[*+]\}?$|^(?:\*\*|\(\.\*\))$/

/**
 * Returns a message with the pattern on a line of its own and a mark below it. If the pattern contains characters of
 * another width, the mark is left out.
 */
function formatProblem([pattern, part, offset]: PatternFacts, problem: string): string {
  const message = `the pattern ${formatValue(pattern)} ${problem}`
  if (/[^\x20-\x7e]/.test(pattern)) return message
  return `${message}\n  ${pattern}\n  ${" ".repeat(offset)}${"^".repeat(Math.max(part.length, 1))}`
}
