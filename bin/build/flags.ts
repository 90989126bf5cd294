/** Which compile-time flags of fw a bundle is built with: what no module of the program can use is left out. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Metafile } from "esbuild"
import { tokenize } from "../../lib/scan/tokens.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { coreEntries, middlewareFolder } from "../system/framework-files.ts"
import { type Flag, type FlagUse, flags, flagUse, mayCallAnything, plainText } from "./flag-use.ts"

/** What a bundle was made of, as far as it decides about flags. */
export interface Bundled {
  readonly root: string
  readonly metafile: Metafile
  readonly tree: RouteTree
  /** The path of a module of fw's own, relative to where fw is: there it is known what is used. */
  readonly mark: string
}

/** esbuild's `define` for the flags: those that are given are off, all others are on. */
export function defines(off: readonly Flag[]): Record<string, string> {
  return Object.fromEntries(flags.map((flag) => [`FW_${flag}`, String(!off.includes(flag))]))
}

/** The flags of parts that no module of a bundle can use, and of those that a build does without. */
export function unusedFlags(bundled: Bundled): Flag[] {
  const { root, tree } = bundled
  const texts = moduleTexts(bundled)
  // What cannot be read, and what calls methods by names that it makes, may use anything.
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
  /** Whether it is the project's own, and no package's. */
  readonly isOwn: boolean
}

/**
 * What was read for a bundle and is not fw's core, such as the middleware that is left in it. Of the program also what is
 * left out: a constant in it may be used elsewhere. Null where a module cannot be read, and so may say anything.
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

/** The modules of which something is in the bundle. */
function leftModules({ outputs }: Metafile): ReadonlySet<string> {
  const parts = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))
  return new Set(parts.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))
}

/** The modules of fw that every program has: they define what others use. Middleware is not among them. */
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

/** The code of a module of fw's own, whose comments speak of what others call. Of others no text is taken away: the scan's rules might take too much. */
function withoutComments(text: string, file: string): string {
  return tokenize(text, { file, jsx: false })
    .tokens.map((token) => token.text)
    .join(" ")
}

/** Whether a path is what esbuild writes in place of a module that a package keeps out of browsers. */
function isEmpty(path: string): boolean {
  return path.startsWith("(disabled):")
}
