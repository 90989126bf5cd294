/** Escapes text for HTML. */

const specialCharacter = /["&'<>]/
const specialCharacters = /["&'<>]/g
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
  return specialCharacter.test(text) ? text.replace(specialCharacters, (mark) => entities[mark] as string) : text
}
