/** Escapes text for HTML. */

const special = /["&'<>]/

/**
 * Escapes a string for text and for quoted attribute values.
 *
 * @example escapeHtml('<b>"&"</b>') // → "&lt;b&gt;&quot;&amp;&quot;&lt;/b&gt;"
 */
export function escapeHtml(text: string): string {
  if (text.length > 12) return escapeLonger(text)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 63 && (code === 34 || code === 38 || code === 39 || code === 60 || code === 62)) {
      return escapeFrom(text, at)
    }
  }
  return text
}

/** Escapes a text that is scanned faster by functions of the engine than by a loop. */
function escapeLonger(text: string): string {
  if (text.length > longText && !isSpecial(text)) return text
  const at = text.search(special)
  if (at < 0) return text
  // A special character that comes late is probably one of few.
  return at > longText ? escapeEach(text) : escapeFrom(text, at)
}

/** Five searches of one character each are faster than one of five from here on. */
const longText = 64

function isSpecial(text: string): boolean {
  return (
    text.includes("&") || text.includes("<") || text.includes(">") || text.includes('"') || text.includes("'")
  )
}

function escapeEach(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;")
}

/** Joining the pieces of a text with fewer entities costs more than it saves. */
const manyEntities = 4

function escapeFrom(text: string, first: number): string {
  let escaped = ""
  let last = 0
  let entities = 0
  for (let at = first; at < text.length; at++) {
    let entity: string
    // A switch, not a table: a table is read for every blank and digit as well.
    switch (text.charCodeAt(at)) {
      case 34:
        entity = "&quot;"
        break
      case 38:
        entity = "&amp;"
        break
      case 39:
        entity = "&#39;"
        break
      case 60:
        entity = "&lt;"
        break
      case 62:
        entity = "&gt;"
        break
      default:
        continue
    }
    if (last < at) escaped += text.slice(last, at)
    escaped += entity
    last = at + 1
    entities++
  }
  if (last < text.length) escaped += text.slice(last)
  // Reading a character makes V8 join the pieces. Otherwise a page keeps all of them until it is sent, and the garbage
  // collector copies them meanwhile. The first entity is there, so the result is always `escaped`.
  return entities < manyEntities || escaped.charCodeAt(first) === 38 ? escaped : ""
}
