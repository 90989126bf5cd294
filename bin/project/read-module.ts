/** Reads modules of a project. */
import { createDirectorySource } from "../../adapters/disk/directory.ts"
import { FwError } from "../../lib/errors.ts"
import { type ModuleText, readModule } from "../../lib/scan/exports.ts"

/** Reads a module; returns null if it does not exist or cannot be parsed. */
export async function tryReadModule(root: string, file: string): Promise<ModuleText | null> {
  const text = await createDirectorySource(root)
    .read(file)
    .catch(() => null)
  return text === null ? null : tryParseModule(file, text)
}

/** Parses a module; returns null if it has a syntax error. */
export function tryParseModule(file: string, text: string): ModuleText | null {
  try {
    return readModule(text, { file, allowsJSX: !/\.m?ts$/.test(file) })
  } catch (error) {
    if (error instanceof FwError) return null
    throw error
  }
}
