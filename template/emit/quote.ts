/** Writes string literals in generated code. */

/**
 * Returns a string literal. The two line breaks that JSON does not escape are escaped, because they would shift the
 * lines of the source map.
 */
export function quote(text: string): string {
  const quoted = JSON.stringify(text)
  return lineBreak.test(quoted) ? quoted.replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029") : quoted
}

const lineBreak = /[\u2028\u2029]/
