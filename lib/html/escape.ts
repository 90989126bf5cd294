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
  return at < 0 ? text : escapeFrom(text, at)
}

/** Five searches of one character each are faster than one of five from here on. */
const longText = 64

function isSpecial(text: string): boolean {
  return (
    text.includes("&") || text.includes("<") || text.includes(">") || text.includes('"') || text.includes("'")
  )
}

/** Joining the pieces of a text with fewer entities costs more than it saves. */
const manyEntities = 4
/** Joining the parts of a text with more entities takes longer than writing each of its characters. */
const mostJoined = 6

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
    if (entities === mostJoined) {
      const bytes = escapeBytes(text, first)
      if (bytes !== undefined) return bytes
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

/** Length of a text that is escaped at once. */
const pieceLength = 2048
/** Memory for an escaped piece. An entity has at most six bytes. */
const memory = new Uint8Array(6 * pieceLength)
const decoder = new TextDecoder()

/** Returns a text escaped. Returns undefined for characters that are not of ASCII. */
function escapeBytes(text: string, first: number): string | undefined {
  let escaped = text.slice(0, first)
  for (let at = first; at < text.length; at += pieceLength) {
    const piece = escapePiece(text, at, Math.min(at + pieceLength, text.length))
    if (piece === undefined) return undefined
    escaped += piece
  }
  return escaped
}

function escapePiece(text: string, first: number, end: number): string | undefined {
  let length = 0
  for (let at = first; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) return undefined
    switch (code) {
      case 34: // &quot;
        put(length, 38, 113, 117, 111, 116, 59)
        length += 6
        break
      case 38: // &amp;
        put(length, 38, 97, 109, 112, 59, 0)
        length += 5
        break
      case 39: // &#39;
        put(length, 38, 35, 51, 57, 59, 0)
        length += 5
        break
      case 60: // &lt;
        put(length, 38, 108, 116, 59, 0, 0)
        length += 4
        break
      case 62: // &gt;
        put(length, 38, 103, 116, 59, 0, 0)
        length += 4
        break
      default:
        memory[length++] = code
    }
  }
  return decoder.decode(memory.subarray(0, length))
}

/** Writes six bytes. What follows a shorter entity is written over the rest. */
function put(at: number, a: number, b: number, c: number, d: number, e: number, f: number) {
  memory[at] = a
  memory[at + 1] = b
  memory[at + 2] = c
  memory[at + 3] = d
  memory[at + 4] = e
  memory[at + 5] = f
}
