/** Rules for the `content` of a `<meta>`, which depend on the `name`. */

/**
 * Returns true if a `<meta>` with this name configures htmx. htmx merges `content` into its configuration. There,
 * `prefix` names the attributes that htmx runs, so plain text in any attribute of the page could become code.
 */
export function configuresHTMX(name: unknown): boolean {
  return typeof name === "string" && name.trim().toLowerCase() === "htmx-config"
}

/** Checks the name of a `<meta>` whose attributes are spread. @throws TypeError if the name is not allowed there. */
export function checkMetaName(name: unknown): void {
  if (!configuresHTMX(name)) return
  throw new TypeError('The name "htmx-config" cannot be spread: htmx merges the content into its configuration.')
}
