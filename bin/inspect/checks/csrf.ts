/** Finds out if modules refuse requests that pages of other sites send. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { readImportNames } from "../../project/import-names.ts"
import { findImports } from "../imports.ts"
import { tryReadModule } from "./misplaced-files.ts"

/** `csrf()`, and names of other functions that do the same. */
const protectionName = /[cx]srf/i

/**
 * Returns a function that says if one of some modules, or one that they import, names a protection.
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
    // A set also visits what is added while it is read.
    for (const file of seen) {
      const module = await read(file)
      if (module?.tokens.some(({ kind, text }) => kind === "word" && protectionName.test(text))) return true
      for (const imported of module ? findImports(module, names) : []) seen.add(imported)
    }
    return false
  }
}
