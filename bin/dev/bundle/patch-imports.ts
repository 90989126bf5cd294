/** Reads the imports of a module that is translated separately, and the exports that they need. */
import type { BuildResult } from "esbuild"
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

/** Matches an import as esbuild prints it in an ES module: the imported names, if any, and the source. */
const printedImport = /^(?:import|export)\s(?:([^"';]*?)\sfrom\s)?("(?:[^"\\\n]|\\.)*")(;?)/gm
const namespaceImport = /^\* as \S+$/

/**
 * Matches an import as esbuild prints it in a CommonJS module: the variable and the specifier. The number says that
 * the package has `"type": "module"`.
 */
export const requireCall = /^(?:var ([\w$]+) = )?(?:__toESM\()?require\(("(?:[^"\\\n]|\\.)*")\)(?:(?:, 1)?\))?;$/

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
  const imports: (readonly [string, readonly string[]])[] = []
  for (const [, clause = "", quoted = "", end] of (outputFiles[0]?.text ?? "").matchAll(printedImport)) {
    const specifier = unquote(quoted)
    const names = readClause(clause)
    if (specifier === null || names === null || end === "") return null
    imports.push([specifier, names])
  }
  const all = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const [paths, others] = [true, false].map((isStatement) =>
    all.filter(({ kind }) => (kind === "import-statement") === isStatement).map(({ path }) => path),
  ) as [string[], string[]]
  // The imports are complete if they are the same as those in esbuild's metafile.
  const isWhole =
    paths.sort().join("\n") ===
    imports
      .map(([specifier]) => specifier)
      .sort()
      .join("\n")
  return warnings.length > 0 || !isWhole ? null : { imports, others }
}

function unquote(text: string): string | null {
  try {
    return JSON.parse(text) as string
  } catch {
    return null
  }
}

/** Returns the exports that an import names; null for `export *`, because the names are in the other module. */
function readClause(clause: string): string[] | null {
  if (clause === "*") return null
  const [before = "", inner = ""] = clause.split(/[{}]/)
  const named = inner.split(",").map((item) => item.trim())
  const whole = before.split(",").map((item) => item.trim())
  return [
    ...whole.filter((item) => item !== "" && !namespaceImport.test(item)).map(() => "default"),
    ...named.filter((item) => item !== "").map((item) => item.split(/\s+as\s+/)[0] as string),
  ]
}
