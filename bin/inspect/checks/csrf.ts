/** Finds out whether modules refuse requests from pages of other sites. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { readImportNames } from "../../project/import-names.ts"
import { findImports } from "../imports.ts"
import { tryReadModule } from "./misplaced-files.ts"

/** Matches `csrf()`, and names of other functions that do the same. */
const protectionName = /[cx]srf/i

/**
 * Returns a function that tells whether one of some modules, or a module that they import, names a protection.
 *
 * @param main the main file, whose middleware is around every route.
 */
export function createCSRFFinder(root: string, main: string | null): (files: readonly string[]) => Promise<boolean> {
  const names = readImportNames(root)
  const modules = new Map<string, Promise<ModuleText | null>>()
  const read = (file: string) => {
    const known = modules.get(file) ?? tryReadModule(root, file)
    modules.set(file, known)
    return known
  }
  return async (files) => {
    const seen = new Set([...(main === null ? [] : [main]), ...files])
    // A loop over a set also visits entries that are added during the loop.
    for (const file of seen) {
      const module = await read(file)
      if (module?.tokens.some(({ kind, text }) => kind === "word" && protectionName.test(text))) return true
      for (const imported of module ? findImports(module, names) : []) seen.add(imported)
    }
    return false
  }
}
