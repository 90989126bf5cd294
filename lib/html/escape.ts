/** Escapes text for HTML. */

const special = /["&'<>]/
const allSpecial = /["&'<>]/g
const entities: Readonly<Record<string, string>> = {
  '"': "&quot;",
  "&": "&amp;",
  "'": "&#39;",
  "<": "&lt;",
  ">": "&gt;",
}

/**
 * Escapes a string for text and for quoted attribute values.
 *
 * @example escapeHtml('<b>"&"</b>') // → "&lt;b&gt;&quot;&amp;&quot;&lt;/b&gt;"
 */
export function escapeHtml(text: string): string {
  // Most texts have nothing to escape.
  return special.test(text) ? text.replace(allSpecial, (mark) => entities[mark] as string) : text
}
