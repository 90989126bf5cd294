/** Translates one changed module separately, so that it can replace the module in a bundle. */
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { FwError } from "../../../lib/errors.ts"
import { tokenize } from "../../../lib/scan/tokens.ts"
import { type Esbuild, isBuildFailure } from "../../project/esbuild.ts"
import type { ReplaceableModule } from "./bundle-graph.ts"
import { createCommonOptions } from "./bundle-options.ts"
import { type Imports, linkImports, readImports } from "./patch-imports.ts"

/** The replacement of a module in a bundle. Its code is a {@link PatchModule}. */
export interface Patch {
  /** The names of the replaced module in the bundle. */
  readonly names: readonly string[]
  readonly code: string
  /** The source map, as JSON. */
  readonly map: string
}

/** The exports of a patch. A patch is a CommonJS module, because Node loads such a module synchronously. */
export interface PatchModule {
  /**
   * The imports of the module: the specifier, the name in the bundle (null for a package), and the exports that
   * must exist.
   */
  readonly imports: Imports
  /** Runs the module like a CommonJS module. */
  readonly run: (module: { exports: unknown }, exports: unknown, require: (specifier: string) => unknown) => void
}

/** Options of {@link makePatch}. */
export interface PatchOptions {
  readonly root: string
  /** The directory of the patch. File names in the source map are relative to it. */
  readonly directory: string
}

/** Names that are parameters of the function around a CommonJS module, but are not defined in an ES module. */
const commonJSNames = ["module", "exports", "require", "__filename", "__dirname"]
const commonJSPrefix = "fw_not_in_a_module_"

/**
 * Translates a module to a patch.
 *
 * @returns null if the module must be bundled, because some of its code would behave differently in a patch.
 */
export async function makePatch(
  esbuild: Esbuild,
  options: PatchOptions,
  { path, names, links }: ReplaceableModule,
): Promise<Patch | null> {
  const common = { ...createCommonOptions(options.root), entryPoints: [path] }
  const define = { ...toImportMeta(join(options.root, path)), ...markCommonJSNames() }
  const outfile = join(options.directory, "patch.cjs")
  try {
    const [commonJS, esModule] = await Promise.all([
      esbuild.build({ ...common, format: "cjs", sourcemap: "external", outfile, define }),
      // Only the translation to an ES module shows which exports must exist, because TypeScript's types are removed
      // from it.
      esbuild.build({ ...common, outfile: join(options.directory, "patch.mjs"), define }),
    ])
    const file = (ending: string) => commonJS.outputFiles.find((output) => output.path.endsWith(ending))?.text as string
    const code = file(".cjs")
    if (commonJS.warnings.length > 0 || code.includes(commonJSPrefix)) return null
    const imports = linkImports(readImports(esModule), links)
    return imports && { names, ...toFunction({ code: toESModules(code), map: file(".map") }, imports) }
  } catch (error) {
    // Either bundling fails too, with a better message, or the tokenizer cannot read the code.
    if (isBuildFailure(error) || error instanceof FwError) return null
    throw error
  }
}

/**
 * Returns the code with imports that get what an ES module exports. In a package of ES modules, esbuild prints
 * `__toESM(require("…"), 1)`, which gets a CommonJS module as its own default export, as in Node.
 */
function toESModules(code: string): string {
  const { tokens } = tokenize(code, { file: "patch.cjs", allowsJSX: false })
  const modes = tokens.filter(({ text }, at) => {
    return text === "1" && tokens[at - 5]?.text === "require" && tokens[at - 7]?.text === "__toESM"
  })
  return modes.reduceRight((text, { start, end }) => `${text.slice(0, start)}0${text.slice(end)}`, code)
}

/**
 * Wraps the module in a function, so that the caller decides when it runs. The function adds one line before the
 * module's code, and so does the source map.
 */
function toFunction({ code, map }: { code: string; map: string }, imports: Imports) {
  const head = `"use strict"; exports.imports = ${JSON.stringify(imports)}; const run = (module, exports, require) => {`
  const data = JSON.parse(map) as { mappings: string }
  return {
    // The first line of a program may be for the shell (`#!`).
    code: `${head}\n${code.replace(/^#!/, "//")}\n};\nexports.run = run;\n`,
    map: JSON.stringify({ ...data, mappings: `;${data.mappings}` }),
  }
}

/**
 * Returns the parts of `import.meta` for a module that uses its own path. A module that uses other parts must be
 * bundled.
 */
function toImportMeta(path: string): Record<string, string> {
  const meta = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  return Object.fromEntries(Object.entries(meta).map(([name, value]) => [`import.meta.${name}`, JSON.stringify(value)]))
}

function markCommonJSNames(): Record<string, string> {
  return Object.fromEntries(commonJSNames.map((name) => [name, `${commonJSPrefix}${name}`]))
}
