/** Reads the imports of a module that is translated separately, and the exports that they need. */
import type { BuildResult } from "esbuild"
import { tokenize } from "../../../lib/scan/tokens.ts"
import { listModuleImports } from "../../project/module-imports.ts"
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
  const { tokens } = tokenize(outputFiles[0]?.text ?? "", { file: "patch.mjs", allowsJSX: false })
  const imports = listModuleImports(tokens)
  const others = Object.values(metafile.outputs)
    .flatMap((output) => output.imports)
    .flatMap(({ kind, path }) => (kind === "import-statement" ? [] : [path]))
  // The names of `export *` are in the other module.
  const isKnown = imports.every((one) => !one.hasAttributes && one.names.every(({ local }) => local !== ""))
  if (warnings.length > 0 || !isKnown) return null
  return {
    imports: imports.map(({ specifier, names }) => [
      specifier,
      names.flatMap(({ name }) => (name === "*" ? [] : [name])),
    ]),
    others,
  }
}
