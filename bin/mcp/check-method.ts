/** Checks the argument `method` of tools that list routes or operations. */

import { findNearest } from "../cli/find-nearest.ts"
import { methods } from "../cli/methods.ts"
import { toolFault } from "../messages/tools.ts"

/**
 * Checks a method in upper or lower case.
 *
 * @param own methods of the project, which may have made some up.
 * @throws FwError `arguments` for one that neither HTTP nor the project has.
 */
export function checkMethod(given: string | undefined, own: readonly string[] = []): void {
  const name = given?.toUpperCase()
  if (name === undefined || [...methods, ...own].some((method) => method.toUpperCase() === name)) return
  throw toolFault("arguments.method", [given as string, findNearest(name, methods) ?? null])
}
