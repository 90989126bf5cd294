/** Files of a project that its modules import. */
import type { ModuleText } from "../../lib/scan/exports.ts"
import { stringValue } from "../../lib/scan/proxy-config.ts"
import { type ImportNames, importedFiles } from "../project/import-names.ts"

/** Returns the names that a module imports from, as they are written. */
export function specifiersOf({ tokens }: ModuleText): string[] {
  return tokens.flatMap((token, at) => {
    const before = tokens[at - 1]?.text
    const isName = token.kind === "string" && (before === "from" || before === "import")
    return isName ? [stringValue(token.text)] : []
  })
}

/** Returns the files of the project that a module imports. */
export function importsOf(module: ModuleText, names: ImportNames): string[] {
  return specifiersOf(module).flatMap((path) => importedFiles(names, module.file, path))
}
