/** Reads the header `Accept` (RFC 9110 §12.5.1). */
import { readWeights } from "./header-grammar.ts"

/**
 * Returns true if the header contains `text/html` and does not prefer JSON. Browsers send that only when they open a
 * page. Scripts, images and other programs accept any type.
 */
export function prefersHTML(accept: string): boolean {
  const weights = readWeights(accept)
  const html = weights.get("text/html") ?? 0
  return html > 0 && html >= (weights.get("application/json") ?? 0)
}
