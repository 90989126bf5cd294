// What the `content` of a `<meta>` does by its `name`: the compiler asks for written attributes, `fw/html` for spread
// ones and for literals.

/**
 * Whether a `<meta>` of this name configures htmx. It merges `content` into its configuration, whose `prefix` decides
 * which attributes it fetches from and runs: plain text in any attribute of the page could then become code.
 */
export function configuresHtmx(name: unknown): boolean {
  return typeof name === "string" && name.trim().toLowerCase() === "htmx-config"
}

/** @throws TypeError for the name of a `<meta>` that a spread must not give. */
export function checkMetaName(name: unknown): void {
  if (!configuresHtmx(name)) return
  throw new TypeError(
    'The name "htmx-config" cannot be spread: htmx merges the content into its configuration.',
  )
}
