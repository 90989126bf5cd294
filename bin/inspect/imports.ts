/** Finds the files that modules import. */
import type { ModuleText } from "../../lib/scan/exports.ts"
import { type ImportNames, listImportedFiles } from "../project/import-names.ts"
import { listModuleImports } from "../project/module-imports.ts"

/** Returns the project files that a module imports. */
export function findImports(module: ModuleText, names: ImportNames): string[] {
  return listModuleImports(module.tokens).flatMap(({ specifier }) => listImportedFiles(names, module.file, specifier))
}
