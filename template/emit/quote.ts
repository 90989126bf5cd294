/** Writes string literals in generated code. */

/**
 * Returns a string literal. The two line breaks that JSON does not escape are escaped, because they would shift the
 * lines of the source map.
 */
export function quote(text: string): string {
  const literal = JSON.stringify(text)
  return lineBreak.test(literal) ? literal.replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029") : literal
}

const lineBreak = /[\u2028\u2029]/
