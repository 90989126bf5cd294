/** Finds out how far a regular expression reads in a text until it matches, or finds that it does not match. */

/**
 * Matches the pieces of an expression: groups and classes, quantifiers, anchors, and everything that matches one
 * character.
 */
const pieces =
  /(?<open>\((?:\?(?:<[=!]|<[^>]*>|[a-z-]*[:=!]))?)|(?<close>\))|(?<other>\\(?:[bB1-9]|k<[^>]*>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[|^$])|\\(?:[pPu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/giu

/** The changed expressions. Reading the source text of an expression takes longer than matching a short text. */
const made = new WeakMap<RegExp, RegExp>()
/** They are kept by source text too, because a literal in a function creates a new object each time. */
const madeBySource = new Map<string, RegExp>()

/**
 * Returns the expression with the end of the text as an alternative for each character. It matches the whole
 * beginning of a text if `expression` reads that beginning to its end and needs more.
 */
function createBeginning(expression: RegExp): RegExp {
  const known = made.get(expression)
  if (known) return known
  const key = String(expression)
  const beginning = madeBySource.get(key) ?? changeExpression(expression)
  made.set(expression, beginning)
  madeBySource.set(key, beginning)
  return beginning
}

function changeExpression(expression: RegExp): RegExp {
  /** The open groups: true for lookbehinds and negative lookaheads, in which the end is no alternative. */
  const groups: boolean[] = []
  const source = expression.source.replace(pieces, (piece, ...more) => {
    const { open, close, other } = more.at(-1)
    if (open) groups.push(groups.at(-1) || /^\(\?<?!|^\(\?<=/.test(open))
    else if (close) groups.pop()
    else if (!other && !groups.at(-1)) return `(?:${piece}|(?![\\s\\S]))`
    return piece
  })
  return new RegExp(source, expression.flags)
}

/** Returns the end of the match from an offset in a text; undefined if there is none. */
function matchEnd(expression: RegExp, text: string, from: number): number | undefined {
  expression.lastIndex = from
  const match = expression.exec(text)
  return match ? match.index + match[0].length : undefined
}

/**
 * Returns how many characters an expression reads from an offset until it has its match, or finds that there is
 * none. The result may be twice the real number, because each tried beginning is twice as long as the last one.
 */
export function charactersRead(expression: RegExp, text: string, from: number, match: RegExpExecArray | null): number {
  const most = Math.max(0, text.length - from)
  // Without `sticky`, the expression looks for a match at every position.
  if (!match && !expression.sticky) return most
  const end = match ? match.index + match[0].length : undefined
  const beginning = createBeginning(expression)
  let length = (end ?? from) - from + 1
  while (length < most && matchEnd(beginning, text.slice(0, from + length), from) !== end) length *= 2
  return Math.min(length, most)
}
