/** Rules for the `content` of a `<meta>`, which depend on its `name`. */

/**
 * Returns true if a `<meta>` with this name configures htmx. htmx merges `content` into its configuration,
 * whose `prefix` selects the attributes from which it requests and runs code. Plain text in any attribute of
 * the page could then become code.
 */
export function configuresHTMX(name: unknown): boolean {
  return typeof name === "string" && name.trim().toLowerCase() === "htmx-config"
}

/** Checks the name of a `<meta>` in a spread. @throws TypeError if the name is not allowed there. */
export function checkMetaName(name: unknown): void {
  if (!configuresHTMX(name)) return
  throw new TypeError('The name "htmx-config" cannot be spread: htmx merges the content into its configuration.')
}
