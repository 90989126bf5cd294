/**
 * Chooses the compile-time flags of a bundle: parts of fw that no module of the program can use are left out.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Metafile } from "esbuild"
import { tokenize } from "../../lib/scan/tokens.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { coreEntries, middlewareFolder } from "../system/framework-files.ts"
import { type Flag, type FlagUse, flags, flagUse, mayCallAnything, plainText } from "./flag-use.ts"

/** The inputs of a bundle that determine the flags. */
export interface Bundled {
  readonly root: string
  readonly metafile: Metafile
  readonly tree: RouteTree
  /** Path of a module of fw, relative to its directory, where the use of each part is known. */
  readonly mark: string
}

/**
 * Returns esbuild's `define` for the flags: the given ones are off, all others are on.
 */
export function defines(off: readonly Flag[]): Record<string, string> {
  return Object.fromEntries(flags.map((flag) => [`FW_${flag}`, String(!off.includes(flag))]))
}

/** Returns the flags of parts that no module of a bundle can use, and of those that a build does not need. */
export function unusedFlags(bundled: Bundled): Flag[] {
  const { root, tree } = bundled
  const texts = moduleTexts(bundled)
  // Modules that cannot be read, and those that call methods with computed names, may use anything.
  const isKnown = texts !== null && !texts.some(({ text, isOwn }) => mayCallAnything(text, isOwn))
  const says = (words: RegExp) => texts?.some(({ text }) => words.test(text)) ?? false
  return flags.filter((flag) => {
    const use: FlagUse = flagUse[flag]
    if (says(new RegExp(`\\bFW_${flag}\\b`)) || use.tree?.(tree)) return false
    if (use.isOptional) return true
    if (!use.words || (use.directory !== undefined && existsSync(join(root, use.directory)))) return false
    return isKnown && !says(use.words)
  })
}

/** The text of a module. */
interface ModuleText {
  readonly text: string
  /** True if it belongs to the project, not to a package. */
  readonly isOwn: boolean
}

/**
 * Returns the texts that were read for a bundle and are not fw's core, such as the middleware in it. They
 * include the parts of the program that are left out, because a constant there may be used elsewhere. Null if
 * a module cannot be read, and so may contain anything.
 */
function moduleTexts({ root, metafile, mark }: Bundled): ModuleText[] | null {
  const { inputs } = metafile
  const home = Object.keys(inputs)
    .find((path) => path.endsWith(mark))
    ?.slice(0, -mark.length)
  const left = leftModules(metafile)
  const core = home === undefined ? new Set<string>() : coreModules(inputs, home, mark)
  const isFramework = (path: string) => home !== undefined && path.startsWith(home)
  const files = Object.keys(inputs).filter((path) => {
    if (isFramework(path)) return left.has(path) && !core.has(path)
    return !path.startsWith(".fw/") && !isEmpty(path)
  })
  try {
    return files.map((path) => {
      const text = readFileSync(join(root, path), "utf8")
      if (isFramework(path)) return { text: withoutComments(text, path), isOwn: false }
      return { text: plainText(text), isOwn: !/(?:^|\/)node_modules\//.test(path) }
    })
  } catch {
    return null
  }
}

/** Returns the modules of which a part is in the bundle. */
function leftModules({ outputs }: Metafile): ReadonlySet<string> {
  const parts = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))
  return new Set(parts.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))
}

/**
 * Returns the modules of fw that every program has, which define the parts that others use. Middleware is not
 * included.
 */
function coreModules(inputs: Metafile["inputs"], home: string, mark: string): ReadonlySet<string> {
  const core = new Set<string>()
  const queue = [...coreEntries, mark].map((path) => home + path)
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (core.has(path) || path.startsWith(home + middlewareFolder)) continue
    core.add(path)
    for (const { path: imported } of inputs[path]?.imports ?? []) queue.push(imported)
  }
  return core
}

/**
 * Returns the code of a module of fw without comments, which mention other parts. From other texts nothing is
 * removed, because the scan's rules might remove too much.
 */
function withoutComments(text: string, file: string): string {
  return tokenize(text, { file, jsx: false })
    .tokens.map((token) => token.text)
    .join(" ")
}

/** Returns true for the path that esbuild writes for a module that a package excludes from browsers. */
function isEmpty(path: string): boolean {
  return path.startsWith("(disabled):")
}
