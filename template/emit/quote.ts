/** String literals in the code of templates. */

/**
 * Returns a string literal. The two line breaks that JSON does not escape would move the lines of the source
 * map.
 */
export function quote(text: string): string {
  const quoted = JSON.stringify(text)
  return lineBreak.test(quoted) ? quoted.replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029") : quoted
}

const lineBreak = /[\u2028\u2029]/
