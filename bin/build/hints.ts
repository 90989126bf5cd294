/** What a project's own modules say about files beside them: static directories, imports that only the running program knows. Read by `build.ts`, without running them. */
import { FwError } from "../../lib/errors.ts"
import { stringValue } from "../../lib/scan/proxy-config.ts"
import { positionOf, type Token, tokenize } from "../../lib/scan/tokens.ts"

/** A place in a module. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A directory of static files that a module names. */
export interface NamedDirectory {
  /** As it is written; null where it is worked out when the program runs. */
  readonly dir: string | null
  readonly by: "static" | "staticDir"
  /** Where it is served; null where that is worked out when the program runs. */
  readonly prefix: string | null
  /** What `{ embed }` says: `false` for one that is not part of what is built, null where that is worked out when the program runs. */
  readonly embed: boolean | null
  readonly at: Place
}

/** What one module says. */
export interface Hints {
  readonly directories: readonly NamedDirectory[]
  /** `import(name)` with a name that only the running program knows. */
  readonly computedImports: readonly Place[]
}

/**
 * Reads a module's text.
 *
 * @param file for places; its ending tells whether there are elements in it.
 */
export function readHints(source: string, file: string): Hints {
  const tokens = tokensOf(source, file)
  const place = ({ start }: Token): Place => ({ file, ...positionOf(source, start) })
  const directories: NamedDirectory[] = []
  const computedImports: Place[] = []
  tokens.forEach((token, i) => {
    if (token.kind !== "name" || tokens[i + 1]?.text !== "(") return
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

/** A module that cannot be read by the scan's own rules is the bundler's to judge. */
function tokensOf(source: string, file: string): readonly Token[] {
  try {
    return tokenize(source, { file, jsx: /x$/.test(file) }).tokens
  } catch (error) {
    if (error instanceof FwError) return []
    throw error
  }
}

/** The tokens of each argument of the call whose bracket is at `open`. */
function args(tokens: readonly Token[], open: number): Token[][] {
  return parts(tokens, open + 1, (tokens[open] as Token).depth + 1)
}

/** The tokens of an option in the literal that begins at `at`. */
function optionOf(tokens: readonly Token[], at: number, name: string): Token[] | undefined {
  const brace = tokens[at]
  if (brace?.text !== "{") return undefined
  for (const [key, colon, ...value] of parts(tokens, at + 1, brace.depth + 1)) {
    const text = key?.kind === "string" ? stringValue(key.text) : key?.text
    if (text === name) return colon?.text === ":" ? value : [key as Token]
  }
  return undefined
}

/** Tokens from `at` on up to the closing bracket, parted at the commas between them. */
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

/** What the third argument of `app.static()` says of `embed`. */
function embedOf(options: readonly Token[] | undefined): boolean | null {
  if (!options) return true
  const [first] = options
  const value = first?.text === "{" ? optionOf(options, 0, "embed") : undefined
  if (value?.length === 1 && /^(?:true|false)$/.test(value[0]?.text as string))
    return value[0]?.text === "true"
  // A literal that does not mention it leaves the default; anything else may hold it.
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

/** esbuild bundles what a relative template may stand for, as `./words/${language}.ts`. */
function isKnownName(token: Token): boolean {
  return (
    token.kind === "string" ||
    (token.kind === "template" && (!hasHoles(token) || /^`\.\.?\//.test(token.text)))
  )
}
