/** Finds handlers that are written for another framework. */

/**
 * Matches the names that the second parameter of such a handler has: `(req, res)`, `(request, reply)`, `(c, next)`.
 */
const foreignParameter = /^_*(?:res|resp|response|reply|next|done)$/

/**
 * Returns the fix for a function whose second parameter is that of another framework; undefined for other
 * functions.
 */
export function findHandlerFix(handler: object | undefined): string | undefined {
  if (typeof handler !== "function" || handler.length < 2) return undefined
  const second = /^[^(]*\(\s*[^,()]*,\s*([\w$]+)/.exec(handler.toString())?.[1]
  if (second === undefined || !foreignParameter.test(second)) return undefined
  return `A handler gets one argument, the context, and "${second}" is undefined. It returns the response: (c) => c.json(200, data).`
}
