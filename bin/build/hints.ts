/**
 * Facts from a project's own modules, read without running them: static directories, and imports whose names
 * are computed.
 */
import { stringValue } from "../../lib/scan/proxy-config.ts"
import { positionOf, type Token } from "../../lib/scan/tokens.ts"
import { tokensOf } from "../project/module-tokens.ts"

/** A position in a module. */
export interface HintPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A directory of static files that a module names. */
export interface NamedDirectory {
  /** As written; null if it is computed at run time. */
  readonly dir: string | null
  readonly by: "static" | "staticDir"
  /** URL prefix; null if it is computed at run time. */
  readonly prefix: string | null
  /**
   * Value of `{ embed }`: `false` for a directory that is not part of the build, null if it is computed at
   * run time.
   */
  readonly embed: boolean | null
  readonly at: HintPlace
}

/** Facts from a module. */
export interface Hints {
  readonly directories: readonly NamedDirectory[]
  /** `import(name)` with a name that is computed at run time. */
  readonly computedImports: readonly HintPlace[]
}

/**
 * Reads a module's text.
 *
 * @param file for positions; its ending decides if the text may contain JSX elements.
 */
export function readHints(source: string, file: string): Hints {
  const tokens = tokensOf(file, source)
  const place = ({ start }: Token): HintPlace => ({ file, ...positionOf(source, start) })
  const directories: NamedDirectory[] = []
  const computedImports: HintPlace[] = []
  tokens.forEach((token, i) => {
    if (token.kind !== "word" || tokens[i + 1]?.text !== "(") return
    const before = tokens[i - 1]?.text
    if (token.text === "static" && (before === "." || before === "?.")) {
      const [prefix, dir, options] = args(tokens, i + 1)
      if (prefix && dir) {
        const at = place(dir[0] as Token)
        const embed = embedOf(options)
        directories.push({ dir: literalOf(dir), by: "static", prefix: literalOf(prefix), embed, at })
      }
    } else if (token.text === "App" && before === "new") {
      const value = optionOf(tokens, i + 2, "staticDir")
      if (value) {
        const at = place(value[0] as Token)
        directories.push({ dir: literalOf(value), by: "staticDir", prefix: "/static", embed: true, at })
      }
    } else if (token.text === "import" && before !== "." && before !== "?.") {
      const [name] = args(tokens, i + 1)[0] ?? []
      if (name && !isKnownName(name)) computedImports.push(place(token))
    }
  })
  return { directories, computedImports }
}

/** Returns the tokens of each argument of the call whose bracket is at `open`. */
function args(tokens: readonly Token[], open: number): Token[][] {
  return parts(tokens, open + 1, (tokens[open] as Token).depth + 1)
}

/** Returns the tokens of an option in the literal that begins at `at`. */
function optionOf(tokens: readonly Token[], at: number, name: string): Token[] | undefined {
  const brace = tokens[at]
  if (brace?.text !== "{") return undefined
  for (const [key, colon, ...value] of parts(tokens, at + 1, brace.depth + 1)) {
    const text = key?.kind === "string" ? stringValue(key.text) : key?.text
    if (text === name) return colon?.text === ":" ? value : [key as Token]
  }
  return undefined
}

/** Returns the tokens from `at` to the closing bracket, split at the commas. */
function parts(tokens: readonly Token[], at: number, depth: number): Token[][] {
  const list: Token[][] = []
  let part: Token[] = []
  for (let i = at; i < tokens.length; i++) {
    const token = tokens[i] as Token
    if (token.depth < depth) break
    if (token.text !== "," || token.depth > depth) part.push(token)
    else {
      list.push(part)
      part = []
    }
  }
  return part.length > 0 ? [...list, part] : list
}

/** Returns the value of `embed` in the third argument of `app.static()`. */
function embedOf(options: readonly Token[] | undefined): boolean | null {
  if (!options) return true
  const [first] = options
  const value = first?.text === "{" ? optionOf(options, 0, "embed") : undefined
  if (value?.length === 1 && /^(?:true|false)$/.test(value[0]?.text as string))
    return value[0]?.text === "true"
  // A literal that does not mention it has the default; anything else may contain it.
  const isWhole = first?.text === "{" && !options.some(({ text }) => text === "...")
  return value === undefined && isWhole ? true : null
}

function hasHoles({ text }: Token): boolean {
  return /(?<!\\)(?:\\\\)*\$\{/.test(text)
}

function literalOf(value: readonly Token[]): string | null {
  const [token] = value
  if (value.length !== 1 || !token) return null
  if (token.kind !== "string" && (token.kind !== "template" || hasHoles(token))) return null
  return stringValue(token.text)
}

/**
 * Returns true for a relative template literal, such as `./words/${language}.ts`, for which esbuild bundles
 * all possible files.
 */
function isKnownName(token: Token): boolean {
  return (
    token.kind === "string" ||
    (token.kind === "template" && (!hasHoles(token) || /^`\.\.?\//.test(token.text)))
  )
}
