/** Text in the HTML pages that the command makes itself. */

/** Returns a text in which no character has a meaning in HTML, also in a quoted attribute. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
