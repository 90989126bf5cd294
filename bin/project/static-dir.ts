/** The directory of static files of a project, and the styles in it. */
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { parseStringLiteral } from "../../lib/scan/proxy-config.ts"
import { type ModuleToken, tokenize } from "../../lib/scan/tokens.ts"
import { cssDefaults } from "../css/compile.ts"
import { findMain } from "./project.ts"

/** The option `staticDir`, and where it is. */
export interface NamedStaticDir {
  /** The directory; undefined if it is not a literal. */
  readonly dir: string | undefined
}

/** Finds the option `staticDir` in a main file. @returns undefined if it is not there. */
export function findStaticDirOption(tokens: readonly ModuleToken[]): NamedStaticDir | undefined {
  const at = tokens.findIndex(
    ({ text }, i) => /^(["']?)staticDir\1$/.test(text) && /^[:,}]$/.test(tokens[i + 1]?.text ?? ""),
  )
  if (at < 0) return undefined
  const value = tokens[at + 1]?.text === ":" ? tokens[at + 2] : undefined
  return { dir: value?.kind === "string" ? parseStringLiteral(value.text) : undefined }
}

/** Returns the directory of static files, relative to the project: that of `staticDir`, or `static`. */
export function readStaticDir(root: string): string {
  const main = findMain({ root, appDir: "" })
  if (main === null) return "static"
  let dir: string | undefined
  try {
    const source = readFileSync(join(root, main), "utf8")
    if (source.includes("staticDir"))
      dir = findStaticDirOption(tokenize(source, { file: main, allowsJSX: false }).tokens)?.dir
  } catch {
    // The build reports a file that it cannot read.
  }
  const path = posix.normalize(dir ?? "static").replace(/\/$/, "")
  // Styles are only written to a place inside the project.
  return /^(?:\.\.?)?(?:\/|$)/.test(path) ? "static" : path
}

/**
 * Returns the files of a project's styles, relative to it. The output is in the directory that the program serves at
 * `/static`.
 */
export function findStyles(root: string): { readonly input: string; readonly output: string } {
  return { input: cssDefaults.input, output: posix.join(readStaticDir(root), cssDefaults.below) }
}
