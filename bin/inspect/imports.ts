/** Finds the files that modules import. */
import type { ModuleText } from "../../lib/scan/exports.ts"
import { parseStringLiteral } from "../../lib/scan/proxy-config.ts"
import { type ImportNames, listImportedFiles } from "../project/import-names.ts"

/** Returns the specifiers of a module's imports. */
export function findSpecifiers({ tokens }: ModuleText): string[] {
  return tokens.flatMap((token, at) => {
    const before = tokens[at - 1]?.text
    const isName = token.kind === "string" && (before === "from" || before === "import")
    return isName ? [parseStringLiteral(token.text)] : []
  })
}

/** Returns the project files that a module imports. */
export function findImports(module: ModuleText, names: ImportNames): string[] {
  return findSpecifiers(module).flatMap((path) => listImportedFiles(names, module.file, path))
}
