/** Translates one changed module separately, to replace it in its bundle. */
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Metafile } from "esbuild"
import { type Esbuild, isBuildFailure } from "../project/esbuild.ts"
import type { Links, Replaceable } from "./bundle-graph.ts"
import { commonOptions } from "./bundle-options.ts"

/** A module that replaces one of a bundle. Its code has the form of {@link PatchModule}. */
export interface Patch {
  /** The bundle's names for the replaced module. */
  readonly names: readonly string[]
  readonly code: string
  /** A source map, as JSON. */
  readonly map: string
}

/** The exports of a patch's code. */
export interface PatchModule {
  /**
   * Its imports: the specifier, the name in the bundle (null for a package), and the exports that must exist.
   */
  readonly imports: readonly (readonly [specifier: string, name: string | null, exports: readonly string[]])[]
  /** The modules of packages, by specifier. */
  readonly packages: Readonly<Record<string, object>>
  /** Runs the module, as a CommonJS one. */
  readonly run: (
    module: { exports: unknown },
    exports: unknown,
    require: (specifier: string) => unknown,
  ) => void
}

/** Options of a patch. */
export interface PatchOptions {
  readonly root: string
  /** Directory of the patch. File names in its source map are relative to it. */
  readonly directory: string
}

/**
 * Names that are not variables of an ES module, but are parameters of the function that a patch's module
 * becomes.
 */
const foreign = ["module", "exports", "require"]
const mark = "fw_not_in_a_module_"

/** An import as esbuild prints it: the imported names, if any, and the source. */
const statement = /^(?:import|export)\s(?:([^"';]*?)\sfrom\s)?("(?:[^"\\\n]|\\.)*")(;?)/gm
const namespace = /^\* as \S+$/

/**
 * Makes a patch: a function that runs the module. At the same time the module is translated as it is, which shows what it
 * imports.
 *
 * @returns null if the module must be bundled, because some of its code would mean something else here.
 */
export async function makePatch(
  esbuild: Esbuild,
  { root, directory }: PatchOptions,
  { path, names, links }: Replaceable,
): Promise<Patch | null> {
  const options = { ...commonOptions(root), entryPoints: [path] }
  const place = ownPlace(join(root, path))
  try {
    const [plain, made] = await Promise.all([
      esbuild.build({
        ...options,
        outfile: join(directory, "patch.mjs"),
        define: { ...place, ...marks() },
      }),
      esbuild.build({
        ...options,
        format: "cjs",
        sourcemap: "external",
        outfile: join(directory, "patch.cjs"),
        define: place,
      }),
    ])
    const code = plain.outputFiles[0]?.text as string
    const imports = readImports(code, plain.metafile, links)
    if (plain.warnings.length > 0 || made.warnings.length > 0 || !imports || code.includes(mark)) return null
    const file = (ending: string) =>
      made.outputFiles.find((output) => output.path.endsWith(ending))?.text as string
    const body = asESModules(file(".cjs"), imports.length)
    return body === null ? null : { names, ...asFunction({ code: body, map: file(".map") }, imports) }
  } catch (error) {
    // Bundling will fail too, with a better message.
    if (isBuildFailure(error)) return null
    throw error
  }
}

/** An import as esbuild prints it in a CommonJS module, and the number with which it marks a package with `"type": "module"`. */
const required = /^(?:var [\w$]+ = )?(?:__toESM\()?require\("(?:[^"\\\n]|\\.)*"\)(?:(?:, 1)?\))?;$/

/**
 * Returns the code with imports that get what an ES module exports. In such a package, esbuild's would get a CommonJS module as
 * its own default export, as Node does.
 *
 * @param count number of imports, which esbuild prints one after the other before the code of the module.
 * @returns null if they are not there.
 */
function asESModules(code: string, count: number): string | null {
  if (count === 0) return code
  const lines = code.split("\n")
  const first = lines.findIndex((line) => required.test(line))
  for (let at = first; at < first + count; at++) {
    const line = lines[at]
    if (first < 0 || line === undefined || !required.test(line)) return null
    lines[at] = line.replace(/, 1\);$/, ");")
  }
  return lines.join("\n")
}

type Imports = PatchModule["imports"]

/** Returns a module's current imports; null if they are unknown, or if one is new to the bundle. */
function readImports(code: string, { outputs }: Metafile, links: Links): Imports | null {
  const all = Object.values(outputs).flatMap((output) => output.imports)
  if (all.some(({ path, kind }) => kind !== "import-statement" && links.get(path) !== null)) return null
  const imports: (readonly [string, string | null, readonly string[]])[] = []
  for (const [, clause = "", quoted = "", end] of code.matchAll(statement)) {
    const specifier = unquoted(quoted)
    const name = specifier === null ? undefined : links.get(specifier)
    const exports = readClause(clause)
    if (specifier === null || name === undefined || exports === null || end === "") return null
    imports.push([specifier, name, exports])
  }
  const statements = all.filter(({ kind }) => kind === "import-statement").map(({ path }) => path)
  const read = imports.map(([specifier]) => specifier)
  return statements.sort().join("\n") === read.sort().join("\n") ? imports : null
}

function unquoted(text: string): string | null {
  try {
    return JSON.parse(text) as string
  } catch {
    return null
  }
}

/** Returns the exports that an import names; null for `export *`, whose names are in another module. */
function readClause(clause: string): string[] | null {
  if (clause === "*") return null
  const [before = "", inner = ""] = clause.split(/[{}]/)
  const named = inner.split(",").map((item) => item.trim().split(" as ")[0] as string)
  const whole = before.split(",").map((item) => item.trim())
  return [
    ...whole.filter((item) => item !== "" && !namespace.test(item)).map(() => "default"),
    ...named.filter((item) => item !== ""),
  ]
}

/**
 * Returns the module as a function, so that it runs in the right order. The first line of the map is the one
 * before its code.
 */
function asFunction({ code, map }: { code: string; map: string }, imports: Imports) {
  const specifiers = imports.filter(([, name]) => name === null).map(([specifier]) => specifier)
  const packages = [...new Set(specifiers)].map(
    (specifier, i) => [JSON.stringify(specifier), `p${i}`] as const,
  )
  const head =
    packages.map(([specifier, name]) => `import * as ${name} from ${specifier};`).join("") +
    `export const imports = ${JSON.stringify(imports)};` +
    `export const packages = { ${packages.map(([specifier, name]) => `${specifier}: ${name}`).join(", ")} };` +
    "export const run = (module, exports, require) => {"
  const data = JSON.parse(map) as { mappings: string }
  return {
    // A program's first line may be for the shell.
    code: `${head}\n${code.replace(/^#!/, "//")}\n};\n`,
    map: JSON.stringify({ ...data, mappings: `;${data.mappings}` }),
  }
}

/** Returns `import.meta` for a module that uses its path. Other uses need the bundle. */
function ownPlace(path: string): Record<string, string> {
  const place = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  return Object.fromEntries(
    Object.entries(place).map(([name, value]) => [`import.meta.${name}`, JSON.stringify(value)]),
  )
}

function marks(): Record<string, string> {
  return Object.fromEntries(foreign.map((name) => [name, `${mark}${name}`]))
}
