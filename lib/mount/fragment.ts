/** Decides whether htmx gets a page without its layout. */
import type { Context } from "../context.ts"

/**
 * The rule of a page for fragments: `false` for always the whole page, or a function that says whether a request gets
 * the page without its layout.
 */
export type FragmentRule = boolean | ((c: Context) => boolean)

/** The headers that {@link asksForFragment} reads, for `Vary`. */
export const fragmentHeaders =
  "HX-Request, HX-Request-Type, HX-Boosted, HX-History-Restore-Request, HX-Target"

/**
 * Returns true where htmx swaps a part of a page. Its version 4 says so in `HX-Request-Type`. Versions 1 and 2 name only
 * the element that is swapped: the whole page is due for a boosted link, for a page of the history, and where that
 * element is the body, which is known by its id.
 *
 * @param bodyID the id of the layout's `body`; `""` for one without an id.
 */
export function asksForFragment(c: Context, bodyID: string): boolean {
  const type = c.header("hx-request-type")
  if (type !== "") return type === "partial"
  if (!c.isHTMX || c.header("hx-boosted") !== "" || c.header("hx-history-restore-request") !== "")
    return false
  return bodyID === "" || c.header("hx-target") !== bodyID
}
