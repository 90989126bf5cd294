/** Parses what begins with `<!`: comments, a doctype and CDATA sections. */

import type { Namespace } from "../check/elements.ts"
import { checkXmlCharacters } from "../check/xml-text.ts"
import { Problem } from "../diagnostic.ts"
import type { Cursor } from "./cursor.ts"
import { refuseTemplatesIn } from "./next-part.ts"

/**
 * Reads the declaration at the cursor. Returns its text, which is copied; undefined for a comment.
 *
 * @param namespace the namespace of the block.
 * @param inside the namespace of the innermost element.
 */
export function readDeclaration(cursor: Cursor, namespace: Namespace, inside: Namespace): string | undefined {
  const { source, position: start } = cursor
  if (cursor.startsWith("<!--")) {
    const end = source.indexOf("-->", start + 2)
    if (end < 0) throw new Problem(start, "this comment is never closed", 'Close it with "-->".')
    if (cursor.findsNextPart) refuseTemplatesIn(source, start, end)
    cursor.position = end + 3
    return undefined
  }
  const doctype = cursor.match(namespace === "xml" ? /<!DOCTYPE\s[^<>{}[]*>/y : /<!doctype\s[^<>{}]*>/iy)
  return doctype ? doctype[0] : readCDATA(cursor, namespace, inside)
}

function readCDATA(cursor: Cursor, namespace: Namespace, inside: Namespace): string {
  const { source, position: start } = cursor
  if (!cursor.startsWith("<![CDATA[")) {
    throw new Problem(start, '"<!" begins neither a comment nor a doctype', "Write &lt;! for the text.")
  }
  if (inside !== "svg" && namespace !== "xml") {
    throw new Problem(start, "CDATA is allowed only in SVG", "Write the text itself, with &lt; and &amp;.")
  }
  const end = source.indexOf("]]>", start)
  if (end < 0) throw new Problem(start, "this CDATA section is never closed", 'Close it with "]]>".')
  cursor.position = end + 3
  const text = source.slice(start, end + 3)
  if (namespace === "xml") checkXmlCharacters(text, start)
  return text
}
