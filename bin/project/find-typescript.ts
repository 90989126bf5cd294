/** The TypeScript that a project has installed. */

import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

/** Returns the path of the project's `tsc`, which Node runs; null if it has none. */
export function findTypeScript(root: string): string | null {
  try {
    const manifest = createRequire(join(root, "package.json")).resolve("typescript/package.json")
    return join(dirname(manifest), "bin", "tsc")
  } catch {
    return null
  }
}

/** A program with its first arguments. */
export interface Program {
  readonly file: string
  readonly args: readonly string[]
}

/**
 * Returns how to start the project's TypeScript; null if it has none. The program itself is faster than the script that starts
 * it with another Node.
 */
export async function findTypeScriptProgram(root: string): Promise<Program | null> {
  const tsc = findTypeScript(root)
  if (tsc === null) return null
  try {
    const { href } = pathToFileURL(join(dirname(tsc), "../lib/getExePath.js"))
    const { default: getExePath } = (await import(href)) as { default: () => string }
    return { file: getExePath(), args: [] }
  } catch {
    return { file: process.execPath, args: [tsc] }
  }
}
