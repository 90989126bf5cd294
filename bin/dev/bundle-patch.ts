/** Translates one changed module apart from its bundle, in place of which it is to run. Called by `bundle.ts`. */
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Metafile } from "esbuild"
import { type Esbuild, isBuildFailure } from "../project/esbuild.ts"
import type { Links, Replaceable } from "./bundle-graph.ts"
import { commonOptions } from "./bundle-options.ts"

/** A module that runs in the place of one of a bundle. Its code is a module of the shape {@link PatchModule}. */
export interface Patch {
  /** The bundle's names for what it replaces. */
  readonly names: readonly string[]
  readonly code: string
  /** A source map, as JSON. */
  readonly map: string
}

/** What a patch's code exports. */
export interface PatchModule {
  /** What it imports: the specifier, the name in the bundle (null for a package), and the exports that must be there. */
  readonly imports: readonly (readonly [specifier: string, name: string | null, exports: readonly string[]])[]
  /** The packages' modules, by specifier. */
  readonly packages: Readonly<Record<string, object>>
  /** Runs the module, as a CommonJS one. */
  readonly run: (
    module: { exports: unknown },
    exports: unknown,
    require: (specifier: string) => unknown,
  ) => void
}

/** Where a patch is made. */
export interface PatchOptions {
  readonly root: string
  /** The directory that it will be written to: its source map names files from there. */
  readonly directory: string
}

/** What is no variable of an ES module and would be one of the function that a patch's module becomes. */
const foreign = ["module", "exports", "require"]
const mark = "fw_not_in_a_module_"

/** An import of esbuild's own printing: what is imported, if it says, and from where. */
const statement = /^(?:import|export)\s(?:([^"';]*?)\sfrom\s)?("(?:[^"\\\n]|\\.)*")(;?)/gm
const namespace = /^\* as \S+$/

/**
 * Makes a patch: TypeScript is taken away and, in a second pass, the module becomes a function.
 *
 * @returns null where the module has to be bundled, because it says or does something that means another thing here.
 */
export async function makePatch(
  esbuild: Esbuild,
  { root, directory }: PatchOptions,
  { path, names, links }: Replaceable,
): Promise<Patch | null> {
  try {
    const plain = await esbuild.build({
      ...commonOptions(root),
      entryPoints: [path],
      outfile: join(directory, "patch.mjs"),
      sourcemap: "inline",
      define: { ...ownPlace(join(root, path)), ...marks() },
    })
    const code = plain.outputFiles[0]?.text as string
    const imports = readImports(code, plain.metafile, links)
    if (plain.warnings.length > 0 || !imports || code.includes(mark)) return null
    const { target, platform, charset, logLevel } = commonOptions(root)
    const options = { target, platform, charset, logLevel, format: "cjs", sourcemap: "external" } as const
    const made = await esbuild.transform(code, options)
    return made.warnings.length > 0 ? null : { names, ...asFunction(made, imports) }
  } catch (error) {
    // The bundle's build will fail too, and tells more.
    if (isBuildFailure(error)) return null
    throw error
  }
}

type Imports = PatchModule["imports"]

/** What a module imports now; null where that cannot be told, or where some of it is new to the bundle. */
function readImports(code: string, { outputs }: Metafile, links: Links): Imports | null {
  const told = Object.values(outputs).flatMap((output) => output.imports)
  if (told.some(({ path, kind }) => kind !== "import-statement" && links.get(path) !== null)) return null
  const imports: (readonly [string, string | null, readonly string[]])[] = []
  for (const [, clause = "", quoted = "", end] of code.matchAll(statement)) {
    const specifier = unquoted(quoted)
    const name = specifier === null ? undefined : links.get(specifier)
    const exports = readClause(clause)
    if (specifier === null || name === undefined || exports === null || end === "") return null
    imports.push([specifier, name, exports])
  }
  const statements = told.filter(({ kind }) => kind === "import-statement").map(({ path }) => path)
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

/** The exports that an import names; null for `export *`, whose names are another module's. */
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

/** The module as a function, so that it runs when its turn comes. The map's first line is the one before its code. */
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

/** `import.meta` of a module that says where it is. What else it may ask is left to the bundle. */
function ownPlace(path: string): Record<string, string> {
  const place = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  return Object.fromEntries(
    Object.entries(place).map(([name, value]) => [`import.meta.${name}`, JSON.stringify(value)]),
  )
}

function marks(): Record<string, string> {
  return Object.fromEntries(foreign.map((name) => [name, `${mark}${name}`]))
}
