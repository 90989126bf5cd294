/** The TypeScript that a project has installed. */

import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** Returns the path of the project's `tsc`, which Node runs; null if it has none. */
export function findTypeScript(root: string): string | null {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json")
    return join(dirname(manifest), "bin", "tsc")
  } catch {
    return null
  }
}

/** A program to start, with its first arguments. */
export interface TypeScriptProgram {
  readonly file: string
  readonly args: readonly string[]
}

/**
 * Returns how to start the project's TypeScript; null if it has none. Starting the program directly is faster than
 * using the script, which starts it from another Node.
 */
export function findTypeScriptProgram(root: string): TypeScriptProgram | null {
  const tsc = findTypeScript(root)
  if (tsc === null) return null
  try {
    // This finds the program as the script of the package does, but without the time to load that script.
    const name = `@typescript/typescript-${process.platform}-${process.arch}/package.json`
    const manifest = createRequire(tsc).resolve(name)
    const file = join(dirname(manifest), "lib", process.platform === "win32" ? "tsc.exe" : "tsc")
    if (existsSync(file)) return { file, args: [] }
  } catch {
    // The package is built in another way, so its own script has to find the program.
  }
  return { file: process.execPath, args: [tsc] }
}
