/** Finds out whether code refuses requests from pages of other sites. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { readImportNames } from "../../project/import-names.ts"
import { tryReadModule } from "../../project/read-module.ts"
import { findImports } from "../imports.ts"

/** Matches `csrf()` and other functions with such a name. */
const protectionName = /[cx]srf/i

/**
 * Returns a function that tells whether some modules, or modules that they import, refuse requests from pages of
 * other sites.
 *
 * @param main the main file, whose middleware runs for every route.
 */
export function createCSRFFinder(root: string, main: string | null): (files: readonly string[]) => Promise<boolean> {
  const names = readImportNames(root)
  const modules = new Map<string, Promise<ModuleText | null>>()
  const readOnce = (file: string) => {
    const known = modules.get(file) ?? tryReadModule(root, file)
    modules.set(file, known)
    return known
  }
  return async (files) => {
    const reachableFiles = new Set([...(main === null ? [] : [main]), ...files])
    // The loop over a set also visits entries that are added during the loop.
    for (const file of reachableFiles) {
      const module = await readOnce(file)
      if (module?.tokens.some(({ kind, text }) => kind === "word" && protectionName.test(text))) return true
      for (const imported of module ? findImports(module, names) : []) reachableFiles.add(imported)
    }
    return false
  }
}
