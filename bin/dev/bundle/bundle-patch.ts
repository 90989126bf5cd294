/** Translates one changed module separately, to replace it in its bundle. */
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Esbuild, isBuildFailure } from "../../project/esbuild.ts"
import type { ReplaceableModule } from "./bundle-graph.ts"
import { createCommonOptions } from "./bundle-options.ts"
import { type Imports, linkImports, readImports, requireCall } from "./patch-imports.ts"

/** A module that replaces one of a bundle. Its code has the form of {@link PatchModule}. */
export interface Patch {
  /** The bundle's names for the replaced module. */
  readonly names: readonly string[]
  readonly code: string
  /** A source map, as JSON. */
  readonly map: string
}

/**
 * The exports of a patch's code. It is a CommonJS module, because Node loads those synchronously, and ES modules in
 * several turns.
 */
export interface PatchModule {
  /**
   * Its imports: the specifier, the name in the bundle (null for a package), and the exports that must exist.
   */
  readonly imports: Imports
  /** Runs the module, as a CommonJS one. */
  readonly run: (module: { exports: unknown }, exports: unknown, require: (specifier: string) => unknown) => void
}

/** Options of a patch. */
export interface PatchOptions {
  readonly root: string
  /** Directory of the patch. File names in its source map are relative to it. */
  readonly directory: string
}

/**
 * Names that are not variables of an ES module, but are parameters of the functions that a patch and its module
 * become.
 */
const commonJSNames = ["module", "exports", "require", "__filename", "__dirname"]
const commonJSPrefix = "fw_not_in_a_module_"

/**
 * Makes a patch: a function that runs the module.
 *
 * @returns null if the module must be bundled, because some of its code would mean something else here.
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
    const [translation, plain] = await Promise.all([
      esbuild.build({ ...common, format: "cjs", sourcemap: "external", outfile, define }),
      // Only a translation to an ES module shows which names must exist at run time, because it removes the names of
      // types.
      esbuild.build({ ...common, outfile: join(options.directory, "patch.mjs"), define }),
    ])
    const file = (ending: string) =>
      translation.outputFiles.find((output) => output.path.endsWith(ending))?.text as string
    const code = file(".cjs")
    if (translation.warnings.length > 0 || code.includes(commonJSPrefix)) return null
    const imports = linkImports(readImports(plain), links)
    const body = imports && toESModules(code, imports.length)
    if (imports === null || body === null) return null
    return { names, ...toFunction({ code: body, map: file(".map") }, imports) }
  } catch (error) {
    // Bundling will fail too, with a better message.
    if (isBuildFailure(error)) return null
    throw error
  }
}

/**
 * Returns the code with imports that get what an ES module exports. In a package of ES modules, the imports that
 * esbuild prints would get a CommonJS module as its own default export, as in Node.
 *
 * @param count number of imports, which esbuild prints one after the other before the code of the module.
 * @returns null if they are not there.
 */
function toESModules(code: string, count: number): string | null {
  if (count === 0) return code
  const lines = code.split("\n")
  const first = lines.findIndex((line) => requireCall.test(line))
  for (let at = first; at < first + count; at++) {
    const line = lines[at]
    if (first < 0 || line === undefined || !requireCall.test(line)) return null
    lines[at] = line.replace(/, 1\);$/, ");")
  }
  return lines.join("\n")
}

/**
 * Returns the module as a function, so that it runs in the right order. The first line of the map is the one
 * before its code.
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

/** Returns `import.meta` for a module that uses its own path. Anything else in `import.meta` needs the bundle. */
function toImportMeta(path: string): Record<string, string> {
  const place = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  return Object.fromEntries(
    Object.entries(place).map(([name, value]) => [`import.meta.${name}`, JSON.stringify(value)]),
  )
}

function markCommonJSNames(): Record<string, string> {
  return Object.fromEntries(commonJSNames.map((name) => [name, `${commonJSPrefix}${name}`]))
}
