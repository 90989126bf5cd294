/** Finds out if modules refuse requests that pages of other sites send. */
import type { ModuleText } from "../../../lib/scan/exports.ts"
import { importNames } from "../../project/import-names.ts"
import { importsOf } from "../imports.ts"
import { moduleOf } from "./misplaced-files.ts"

/** `csrf()`, and names of other functions that do the same. */
const protection = /[cx]srf/i

/**
 * Returns a function that says if one of some modules, or one that they import, names a protection.
 *
 * @param main the main file, whose middleware is around every route.
 */
export function csrfFinder(
  root: string,
  main: string | null,
): (files: readonly string[]) => Promise<boolean> {
  const names = importNames(root)
  const modules = new Map<string, Promise<ModuleText | null>>()
  const read = (file: string) => {
    const known = modules.get(file) ?? moduleOf(root, file)
    modules.set(file, known)
    return known
  }
  return async (files) => {
    const seen = new Set([...(main === null ? [] : [main]), ...files])
    // A set also visits what is added while it is read.
    for (const file of seen) {
      const module = await read(file)
      if (module?.tokens.some(({ kind, text }) => kind === "word" && protection.test(text))) return true
      for (const imported of module ? importsOf(module, names) : []) seen.add(imported)
    }
    return false
  }
}
