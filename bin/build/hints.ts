/**
 * Reads from modules, without running them, which static directories they use and where they import computed names.
 */
import { isBuiltin } from "node:module"
import { parseStringLiteral } from "../../lib/scan/proxy-config.ts"
import { type ModuleToken, toPosition } from "../../lib/scan/tokens.ts"
import { readTokens } from "../project/module-tokens.ts"

/** A position in a module. */
export interface HintPosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A directory of static files that a module names. */
export interface NamedDirectory {
  /** The directory as written; null if it is computed at run time. */
  readonly dir: string | null
  /** The method or the option that names the directory. */
  readonly by: "static" | "staticDir"
  /** URL prefix; null if it is computed at run time. */
  readonly prefix: string | null
  /**
   * Value of `{ embed }`: `false` for a directory that is not part of the build, null if it is computed at
   * run time.
   */
  readonly embed: boolean | null
  readonly at: HintPosition
}

/** Facts from a module. */
export interface Hints {
  readonly directories: readonly NamedDirectory[]
  /** `import(name)` and `require(name)` with a name that is computed at run time. */
  readonly computedImports: readonly HintPosition[]
}

/**
 * Finds the facts in the text of a module.
 *
 * @param file for positions; its ending decides whether the text may contain JSX elements.
 */
export function readHints(source: string, file: string): Hints {
  const tokens = readTokens(file, source)
  const toHintPosition = ({ start }: ModuleToken): HintPosition => ({ file, ...toPosition(source, start) })
  const directories: NamedDirectory[] = []
  const computedImports: HintPosition[] = []
  const createdRequires = findCreatedRequires(tokens)
  tokens.forEach((token, i) => {
    if (token.kind !== "word" || tokens[i + 1]?.text !== "(") return
    const before = tokens[i - 1]?.text
    if (token.text === "static" && (before === "." || before === "?.")) {
      const [prefix, dir, options] = splitArguments(tokens, i + 1)
      if (prefix && dir) {
        const at = toHintPosition(dir[0] as ModuleToken)
        const embed = readEmbed(options)
        directories.push({ dir: readLiteral(dir), by: "static", prefix: readLiteral(prefix), embed, at })
      }
    } else if (token.text === "App" && before === "new") {
      const value = findOption(tokens, i + 2, "staticDir")
      if (value) {
        const at = toHintPosition(value[0] as ModuleToken)
        directories.push({ dir: readLiteral(value), by: "staticDir", prefix: "/static", embed: true, at })
      }
    } else if (isCreatedAndCalled(tokens, i)) computedImports.push(toHintPosition(token))
    else if (isLoad(tokens, i, createdRequires)) {
      const [name] = splitArguments(tokens, i + 1)
      const isUnbundled = createdRequires.has(token.text) && !isBuiltin(readLiteral(name ?? []) ?? "")
      if (name && (isUnbundled || !isKnownName(name))) computedImports.push(toHintPosition(token))
    }
  })
  return { directories, computedImports }
}

/** Returns the tokens of each argument of the call whose bracket is at `open`. */
function splitArguments(tokens: readonly ModuleToken[], open: number): ModuleToken[][] {
  return splitAtCommas(tokens, open + 1, (tokens[open] as ModuleToken).depth + 1)
}

/** Returns the tokens of an option's value, in the object literal that begins at `at`. */
function findOption(tokens: readonly ModuleToken[], at: number, name: string): ModuleToken[] | undefined {
  const brace = tokens[at]
  if (brace?.text !== "{") return undefined
  for (const [key, colon, ...value] of splitAtCommas(tokens, at + 1, brace.depth + 1)) {
    const text = key?.kind === "string" ? parseStringLiteral(key.text) : key?.text
    if (text === name) return colon?.text === ":" ? value : [key as ModuleToken]
  }
  return undefined
}

/** Returns the tokens from `at` to the closing bracket, split at the commas. */
function splitAtCommas(tokens: readonly ModuleToken[], at: number, depth: number): ModuleToken[][] {
  const list: ModuleToken[][] = []
  let part: ModuleToken[] = []
  for (let i = at; i < tokens.length; i++) {
    const token = tokens[i] as ModuleToken
    if (token.depth < depth) break
    if (token.text !== "," || token.depth > depth) part.push(token)
    else {
      list.push(part)
      part = []
    }
  }
  return part.length > 0 ? [...list, part] : list
}

/** Returns the value of the option `embed` in the third argument of `app.static()`. */
function readEmbed(options: readonly ModuleToken[] | undefined): boolean | null {
  if (!options) return true
  const [first] = options
  const value = first?.text === "{" ? findOption(options, 0, "embed") : undefined
  if (value?.length === 1 && /^(?:true|false)$/.test(value[0]?.text as string)) return value[0]?.text === "true"
  // An object literal without this option means the default. Any other expression may contain the option.
  const isComplete = first?.text === "{" && !options.some(({ text }) => text === "...")
  return value === undefined && isComplete ? true : null
}

function hasSubstitutions({ text }: ModuleToken): boolean {
  return /(?<!\\)(?:\\\\)*\$\{/.test(text)
}

function readLiteral(value: readonly ModuleToken[]): string | null {
  const [token] = value
  if (value.length !== 1 || !token) return null
  if (token.kind !== "string" && (token.kind !== "template" || hasSubstitutions(token))) return null
  return parseStringLiteral(token.text)
}

/** Matches `createRequire`, also under another name that an import gave it: `fwCreateRequire`. */
const createPattern = /createRequire$/i

/**
 * Returns the names of functions that a module makes with `createRequire()`. esbuild does not notice what these
 * functions load.
 */
function findCreatedRequires(tokens: readonly ModuleToken[]): ReadonlySet<string> {
  const names = tokens.flatMap(({ text }, i) => {
    if (!createPattern.test(text) || tokens[i + 1]?.text !== "(") return []
    const at = tokens[i - 1]?.text === "." ? i - 3 : i - 1
    return tokens[at]?.text === "=" && tokens[findEnd(tokens, i + 1) + 1]?.text !== "."
      ? [tokens[at - 1]?.text ?? ""]
      : []
  })
  return new Set(names)
}

/** Returns the index of the bracket that closes the one at `open`. */
function findEnd(tokens: readonly ModuleToken[], open: number): number {
  const { depth } = tokens[open] as ModuleToken
  return tokens.findIndex((token, i) => i > open && token.depth === depth)
}

/**
 * Returns true at the start of `createRequire(…)(…)` or `createRequire(…).resolve(…)`, unless it loads a module of
 * Node.
 */
function isCreatedAndCalled(tokens: readonly ModuleToken[], at: number): boolean {
  if (!createPattern.test((tokens[at] as ModuleToken).text)) return false
  const next = findEnd(tokens, at + 1) + 1
  const open = tokens[next]?.text === "." && tokens[next + 1]?.text === "resolve" ? next + 2 : next
  if (next === 0 || tokens[open]?.text !== "(") return false
  const [name] = splitArguments(tokens, open)
  return name !== undefined && !isBuiltin(readLiteral(name) ?? "")
}

/** Returns true at the start of `import(…)`, `require(…)` or `module.require(…)`. */
function isLoad(tokens: readonly ModuleToken[], at: number, createdRequires: ReadonlySet<string>): boolean {
  const { text } = tokens[at] as ModuleToken
  const [owner, before] = [tokens[at - 2]?.text, tokens[at - 1]?.text]
  if (before === "function" || text === "import") return before !== "." && before !== "?." && before !== "function"
  if (text !== "require" && !createdRequires.has(text)) return false
  return before === "." ? owner === "module" && text === "require" : before !== "?."
}

/**
 * Returns true for a name that esbuild can resolve: a literal, a choice between two literals, or a text that begins
 * with a relative path, such as `./words/${language}.ts` or `"./words/" + language`. For such a text, esbuild
 * bundles all files that it may mean.
 */
function isKnownName(value: readonly ModuleToken[]): boolean {
  const [first, ...rest] = value
  const [depth, at] = [first?.depth, value.findIndex(({ text, depth }) => text === "?" && depth === first?.depth)]
  if (at >= 0) {
    const colon = value.findIndex((token, i) => i > at && token.text === ":" && token.depth === depth)
    return colon > 0 && isKnownName(value.slice(at + 1, colon)) && isKnownName(value.slice(colon + 1))
  }
  if (first?.kind !== "string" && first?.kind !== "template") return false
  if (rest.length === 0 && (first.kind === "string" || !hasSubstitutions(first))) return true
  return /^["'`]\.\.?\//.test(first.text)
}
