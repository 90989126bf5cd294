/** Finds the directories of static files of a project, and its styles. */
import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { parseStringLiteral } from "../../lib/scan/proxy-config.ts"
import { type ModuleToken, tokenize } from "../../lib/scan/tokens.ts"
import { cssDefaults } from "../css/compile.ts"
import { isText, readTokens } from "./module-tokens.ts"
import { findMain } from "./project.ts"

/** The option `staticDir` of the App. */
export interface NamedStaticDir {
  /** The directory; undefined if it is not a literal. */
  readonly dir: string | undefined
}

/**
 * Finds the option `staticDir` in a main file.
 *
 * @returns undefined if the file does not set it.
 */
export function findStaticDirOption(tokens: readonly ModuleToken[]): NamedStaticDir | undefined {
  const at = tokens.findIndex(
    ({ text }, i) => /^(["']?)staticDir\1$/.test(text) && /^[:,}]$/.test(tokens[i + 1]?.text ?? ""),
  )
  if (at < 0) return undefined
  const value = tokens[at + 1]?.text === ":" ? tokens[at + 2] : undefined
  return { dir: value?.kind === "string" ? parseStringLiteral(value.text) : undefined }
}

/** A directory that a call of `app.static()` serves. */
export interface ServedDirectory {
  readonly dir: string
  /** False for a call with `{ embed: false }`, whose files may change while the program runs. */
  readonly isEmbedded: boolean
}

/**
 * Reads a call of `app.static()` from the tokens after its opening bracket.
 *
 * @returns undefined if the directory is computed.
 */
export function readStaticCall([, , dir, end, ...options]: readonly ModuleToken[]): ServedDirectory | undefined {
  if (!dir || !isText(dir) || !/^[,)]$/.test(end?.text ?? "")) return undefined
  const close = end?.text === ")" ? 0 : options.findIndex(({ text }) => text === ")")
  const text = options.slice(0, close).map((token) => token.text)
  return { dir: parseStringLiteral(dir.text), isEmbedded: !text.join(" ").includes("embed : false") }
}

/** Returns the directories that a project's main file serves with `app.static()`. */
export function readServedDirectories(root: string): string[] {
  const main = findMain({ root, appDir: "" })
  const source = main === null ? "" : readFileSync(join(root, main), "utf8")
  if (!source.includes(".static(")) return []
  const tokens = readTokens(main as string, source)
  return tokens.flatMap(({ text }, at) => {
    const isCall = text === "static" && tokens[at - 1]?.text === "." && tokens[at + 1]?.text === "("
    const served = isCall ? readStaticCall(tokens.slice(at + 2)) : undefined
    return served ? [posix.normalize(served.dir).replace(/\/$/, "")] : []
  })
}

/** Returns the directory of static files, relative to the project: the value of `staticDir`, otherwise `static`. */
export function readStaticDir(root: string): string {
  const main = findMain({ root, appDir: "" })
  if (main === null) return "static"
  let dir: string | undefined
  try {
    const source = readFileSync(join(root, main), "utf8")
    if (source.includes("staticDir"))
      dir = findStaticDirOption(tokenize(source, { file: main, allowsJSX: false }).tokens)?.dir
  } catch {
    // The build reports a main file that cannot be read.
  }
  const path = posix.normalize(dir ?? "static").replace(/\/$/, "")
  // A directory outside the project is not used, because styles are written into it.
  return /^(?:\.\.?)?(?:\/|$)/.test(path) ? "static" : path
}

/**
 * Returns the source and the output of a project's styles, relative to the project. The output is in the directory
 * that is served at `/static`.
 */
export function findStyles(root: string): { readonly input: string; readonly output: string } {
  return { input: cssDefaults.input, output: posix.join(readStaticDir(root), cssDefaults.below) }
}
