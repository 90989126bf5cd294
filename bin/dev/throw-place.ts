/** The statement that threw a value without a stack, found in the source by its text. */

/** A statement that throws something other than a new object. */
interface Throw {
  readonly line: number
  readonly column: number
  /** The pattern of its text if it throws a literal. */
  readonly text: RegExp | undefined
}

const statement = /(?<![\w$.])throw\s+(?!new\b)((["'])(?:\\.|(?!\2).)*\2|`(?:\\.|[^`])*`|[^\s;])/g

/**
 * Returns the position of the statement that throws a text, or, if the value is not a text, of the only one that throws no
 * literal.
 */
export function throwPlace(source: string, thrown: unknown): { line: number; column: number } | undefined {
  const found = throwsOf(source)
  const named = found.filter(({ text }) => typeof thrown === "string" && text?.test(thrown))
  const others = found.filter(({ text }) => text === undefined)
  const [first, second] = named.length > 0 ? named : others
  return first && !second ? { line: first.line, column: first.column } : undefined
}

function throwsOf(source: string): Throw[] {
  const found: Throw[] = []
  for (const [index, line] of source.split("\n").entries()) {
    if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) continue
    for (const { 1: value = "", index: column } of line.matchAll(statement))
      found.push({ line: index + 1, column: column + 1, text: literalPattern(value) })
  }
  return found
}

/** Returns a pattern for the text of a literal; undefined for another expression. */
function literalPattern(value: string): RegExp | undefined {
  if (!/^["'`]/.test(value)) return undefined
  const parts = value.slice(1, -1).split(value[0] === "`" ? /\$\{[^}]*\}/ : /(?!)/)
  const escaped = parts.map((part) => part.replace(/\\(.)/g, "$1").replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${escaped.join("[\\s\\S]*")}$`)
}
