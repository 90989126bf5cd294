/** Reads the imports of a module that is translated separately, and the exports that they need. */
import type { BuildResult } from "esbuild"
import { parseStringLiteral } from "../../../lib/scan/proxy-config.ts"
import { type ModuleToken, tokenize } from "../../../lib/scan/tokens.ts"
import type { ModuleLinks } from "./bundle-graph.ts"

/** The imports of a module. */
export type Imports = readonly (readonly [specifier: string, name: string | null, exports: readonly string[]])[]

/**
 * Imports before their targets are known. `others` are modules that are imported in other ways, such as `import()`.
 */
interface FoundImports {
  readonly imports: readonly (readonly [specifier: string, exports: readonly string[]])[]
  readonly others: readonly string[]
}

/**
 * Returns the imports with the names of their targets in the bundle. Returns null if the imports are not known, or
 * a target is not in the bundle.
 */
export function linkImports(found: FoundImports | null, links: ModuleLinks): Imports | null {
  if (!found || found.others.some((path) => links.get(path) !== null)) return null
  const imports: (readonly [string, string | null, readonly string[]])[] = []
  for (const [specifier, exports] of found.imports) {
    const name = links.get(specifier)
    if (name === undefined) return null
    imports.push([specifier, name, exports])
  }
  return imports
}

/** Returns the imports of a module, read from its translation to an ES module; null if they cannot be read. */
export function readImports({
  outputFiles = [],
  metafile,
  warnings,
}: BuildResult<{ metafile: true }>): FoundImports | null {
  const imports = findStatements(tokenize(outputFiles[0]?.text ?? "", { file: "patch.mjs", allowsJSX: false }).tokens)
  const others = Object.values(metafile.outputs)
    .flatMap((output) => output.imports)
    .flatMap(({ kind, path }) => (kind === "import-statement" ? [] : [path]))
  return warnings.length > 0 || imports.includes(null)
    ? null
    : { imports: imports.filter((one) => one !== null), others }
}

type Statement = FoundImports["imports"][number]

/** Returns the statements that import; null for one whose names are in another module, or that has attributes. */
function findStatements(tokens: readonly ModuleToken[]): (Statement | null)[] {
  return tokens.flatMap((token, at) => {
    const isSource =
      token.kind === "string" && token.depth === 0 && /^(?:from|import)$/.test(tokens[at - 1]?.text ?? "")
    if (!isSource) return []
    const start = tokens.findLastIndex(({ text, depth }, i) => i < at && depth === 0 && /^(?:im|ex)port$/.test(text))
    const clause = tokens.slice(start + 1, at - 1)
    const isKnown = tokens[at + 1]?.text === ";" && !(clause.length === 1 && clause[0]?.text === "*")
    return [isKnown ? [toText(token), clause.flatMap(toNames)] : null]
  })
}

/** Returns the export that a token of an import names: `default` for a word before the braces. */
function toNames(token: ModuleToken, at: number, clause: readonly ModuleToken[]): string[] {
  if (token.depth === 0) return at === 0 && token.kind === "word" ? ["default"] : []
  return /^[{,]$/.test(clause[at - 1]?.text ?? "") ? [toText(token)] : []
}

function toText({ kind, text }: ModuleToken): string {
  return kind === "string" ? parseStringLiteral(text) : text
}
