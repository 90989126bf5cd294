/** Escapes text for the HTML pages of the command. */

/** Escapes all characters that have a meaning in HTML, also in quoted attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
