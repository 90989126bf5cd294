/** Checks the argument `method` of the tools that list routes or operations. */

import { findNearest } from "../cli/find-nearest.ts"
import { methods } from "../cli/methods.ts"
import { toolFault } from "../messages/tools.ts"

/**
 * Checks a method. Upper and lower case are the same.
 *
 * @param own the methods of the project, which may not be methods of HTTP.
 * @throws FwError `arguments` for a method that neither HTTP nor the project has.
 */
export function checkMethod(given: string | undefined, own: readonly string[] = []): void {
  const name = given?.toUpperCase()
  if (name === undefined || [...methods, ...own].some((method) => method.toUpperCase() === name)) return
  throw toolFault("arguments.method", [given as string, findNearest(name, methods) ?? null])
}
