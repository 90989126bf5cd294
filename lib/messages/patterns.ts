/** Messages about path patterns. Each shows the pattern with a mark under the segment that is wrong. */
import { describe, display } from "../text.ts"
import type { Messages } from "./message.ts"

/** The pattern, the segment that is wrong, and the index at which that begins. */
type Facts = [pattern: string, part: string, at: number]

export const patternMessages = {
  "pattern.kind": (given: unknown) => [
    `${describe(given)} is not a pattern`,
    'Write a path, such as "/users/{id}".',
  ],
  "pattern.slash": (pattern: string) => [
    `the pattern ${display(pattern)} does not start with a slash`,
    `Write ${display(`/${pattern}`)}.`,
  ],
  "pattern.empty": (...facts: Facts) => [wrong(facts, "has an empty segment"), "Remove one of the slashes."],
  "pattern.name": (...facts: Facts) => [
    wrong(facts, `has no valid parameter name in ${display(facts[1])}`),
    translated(facts[1]) ?? "Use letters, digits, _ and -, such as {id}.",
  ],
  "pattern.end": (...facts: Facts) => [
    wrong(facts, "has a catch-all before its end"),
    "A * or [...name] must be the last segment.",
  ],
  "pattern.twice": (...facts: Facts) => [
    wrong(facts, `has the parameter ${display(facts[1].replace(/^(?:\[\.\.\.|[{:[])|[}\]]$/g, ""))} twice`),
    "Give each parameter its own name.",
  ],
  "pattern.query": (...facts: Facts) => [
    wrong(facts, `contains more than a path in ${display(facts[1])}`),
    "Remove the query and the fragment. A handler reads the query with c.query().",
  ],
  "pattern.mixed": (...facts: Facts) => [
    wrong(facts, `mixes text and a parameter in ${display(facts[1])}`),
    translated(facts[1]) ?? "A parameter takes a whole segment: /files/{name}.",
  ],
  "pattern.encoding": (...facts: Facts) => [
    wrong(facts, "is not valid percent-encoded UTF-8"),
    "Write the characters themselves, or encode a % as %25.",
  ],
  "pattern.segment": (...facts: Facts) => [
    wrong(facts, `has a segment that no request can have, ${display(decodeURIComponent(facts[1]))}`),
    "Write the path without dot segments, backslashes and NUL.",
  ],
  "pattern.optional_end": (...facts: Facts) => [
    wrong(facts, "has an optional catch-all before its end"),
    "[[...name]] must be the last directory.",
  ],
  "pattern.optional": (...facts: Facts) => [
    wrong(facts, `has an optional parameter, ${facts[1]}`),
    `Write two directories: the parent itself, and ${facts[1].slice(1, -1)}.`,
  ],
  "pattern.group": (...facts: Facts) => [
    wrong(facts, `has a group that does not end, ${display(facts[1])}`),
    "The whole name of a group is in parentheses: (admin).",
  ],
} satisfies Messages

/** Returns how to write what other frameworks write in this way: a condition, the rest of a path, an optional parameter. */
function translated(part: string): string | undefined {
  const [name = "path"] = /[A-Za-z_$][\w$-]*/.exec(part) ?? []
  const one = part.startsWith("[") ? `[${name}]` : `{${name}}`
  const [, condition] = /^(?:\{[\w$-]+:|:[\w$-]+[({])(.+)[)}]$/.exec(part) ?? []
  const isRest = condition === undefined ? restForms.test(part) : /^(?:\.[*+]|path)$/.test(condition)
  if (condition !== undefined && !isRest)
    return `A pattern has no conditions. Write ${one}, and check the value in the handler, such as by c.paramInt(${display(name)}).`
  if (/\?[\]}]?$|^\[\[(?=.*\w).*\]\]$/.test(part))
    return `Write two patterns: one without this segment, and one with ${isRest ? `[...${name}]` : one}.`
  return isRest ? `Write [...${name}] for the rest of a path.` : undefined
}

/** `{name...}`, `[name...]`, `{...name}`, `*name`, `{*name}`, `{name*}`, `:name+`, `**` and `(.*)`. */
const restForms = /\.{3}\w|\w\.{3}|^\{?\*{1,2}\w|^[{:][\w$-]+[*+]\}?$|^(?:\*\*|\(\.\*\))$/

/** Says what is wrong, with the pattern on a line of its own and a mark below it. Other characters would move the mark. */
function wrong([pattern, part, at]: Facts, what: string): string {
  const message = `the pattern ${display(pattern)} ${what}`
  if (/[^\x20-\x7e]/.test(pattern)) return message
  return `${message}\n  ${pattern}\n  ${" ".repeat(at)}${"^".repeat(Math.max(part.length, 1))}`
}
