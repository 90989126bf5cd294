/** How far a regular expression reads in a text before it matches, or before it finds that it does not. */

/** The pieces of an expression: groups and classes, quantifiers, anchors, and what takes one character. */
const pieces =
  /(?<open>\((?:\?(?:<[=!]|<[^>]*>|[a-z-]*[:=!]))?)|(?<close>\))|(?<other>\\(?:[bB1-9]|k<[^>]*>)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[|^$])|\\(?:[pPu]\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/giu

/** By the whole expression: a literal in a function makes another object each time. */
const made = new Map<string, RegExp>()

/**
 * Returns the expression with the end of the text as another choice for each character: it matches to the end of the
 * beginning of a text if `expression` reads that beginning to its end, and wants more.
 */
function beginningOf(expression: RegExp): RegExp {
  const key = String(expression)
  const known = made.get(key)
  if (known) return known
  /** The groups that are open: true for those that look back, or that must not match, where the end is no choice. */
  const groups: boolean[] = []
  const source = expression.source.replace(pieces, (piece, ...more) => {
    const { open, close, other } = more.at(-1)
    if (open) groups.push(groups.at(-1) || /^\(\?<?!|^\(\?<=/.test(open))
    else if (close) groups.pop()
    else if (!other && !groups.at(-1)) return `(?:${piece}|(?![\\s\\S]))`
    return piece
  })
  const beginning = new RegExp(source, expression.flags)
  made.set(key, beginning)
  return beginning
}

/** Returns the end of the match from an offset in a text; undefined if there is none. */
function matchEnd(expression: RegExp, text: string, from: number): number | undefined {
  expression.lastIndex = from
  const match = expression.exec(text)
  return match ? match.index + match[0].length : undefined
}

/**
 * Returns how many characters an expression reads from an offset until it has its match, or knows that there is none. The
 * count may be twice as high as it is: beginnings of the text are tried that double in length.
 */
export function charactersRead(expression: RegExp, text: string, from: number, match: RegExpExecArray | null): number {
  const most = Math.max(0, text.length - from)
  // It looks for a match everywhere.
  if (!match && !expression.sticky) return most
  const end = match ? match.index + match[0].length : undefined
  const beginning = beginningOf(expression)
  let length = (end ?? from) - from + 1
  while (length < most && matchEnd(beginning, text.slice(0, from + length), from) !== end) length *= 2
  return Math.min(length, most)
}
