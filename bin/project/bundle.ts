/** One bundle of the project's files, rebuilt incrementally. Used by `fw dev`. */
import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join, sep } from "node:path"
import type { BuildContext, BuildOptions, BuildResult } from "esbuild"
import { asksForPlace, filesWithMeta, ownMeta } from "./bundle-meta.ts"
import type { Problem } from "./dev-problems.ts"
import { type Esbuild, isBuildFailure, loadEsbuild, problemOf } from "./esbuild.ts"

/** What a build gives. */
export interface Bundle {
  readonly code: Uint8Array
  readonly map: Uint8Array
  /** The files it was made of, absolute. */
  readonly inputs: readonly string[]
  /** The packages that it imports at its start. */
  readonly externals: readonly string[]
  readonly warnings: readonly Problem[]
}

/** What to bundle. */
export interface BundleOptions {
  /** The project's directory. */
  readonly root: string
  /** The module that imports everything, relative to the project. */
  readonly entry: string
  /** Where the bundle will be written: source maps name their files from there. */
  readonly outfile: string
}

/** CommonJS files inside the bundle call it (https://github.com/evanw/esbuild/issues/1921). */
const banner =
  'import { createRequire as fwCreateRequire } from "node:module"; var require = fwCreateRequire(import.meta.url);'

/** Bundles again and again. Packages stay outside, so only the project's own code is read. */
export class Bundler {
  readonly #options: BundleOptions
  readonly #esbuild: Esbuild
  #context: BuildContext
  /** The files whose `import.meta` the context keeps theirs. */
  #meta: readonly string[] = []

  private constructor(options: BundleOptions, esbuild: Esbuild, context: BuildContext) {
    this.#options = options
    this.#esbuild = esbuild
    this.#context = context
  }

  /** @throws FwError `esbuild_missing` where the project has none. */
  static async open(options: BundleOptions): Promise<Bundler> {
    const esbuild = await loadEsbuild(options.root)
    return new Bundler(options, esbuild, await esbuild.context(buildOptions(options)))
  }

  /** Builds what is on disk now. */
  async build(): Promise<Bundle | { readonly problems: readonly Problem[] }> {
    try {
      const bundle = this.#bundle(await this.#context.rebuild())
      return (await this.#followMeta(bundle)) ? this.#bundle(await this.#context.rebuild()) : bundle
    } catch (error) {
      if (!isBuildFailure(error)) throw error
      return { problems: error.errors.map((message) => problemOf(this.#options.root, message)) }
    }
  }

  /** Ends esbuild's work for this project, and its process. */
  async close(): Promise<void> {
    await this.#context.dispose()
    await this.#esbuild.stop()
  }

  /** Few files ask where they are; a bundle in which one does that is not known yet has to be made again. */
  async #followMeta({ code, inputs }: Bundle): Promise<boolean> {
    if (
      !asksForPlace(
        Buffer.from(code.buffer, code.byteOffset + banner.length, code.byteLength - banner.length).toString(
          "latin1",
        ),
      )
    )
      return false
    const files = filesWithMeta(inputs)
    if (files.every((path) => this.#meta.includes(path))) return false
    this.#meta = files
    await this.#context.dispose()
    this.#context = await this.#esbuild.context({ ...buildOptions(this.#options), plugins: [ownMeta(files)] })
    return true
  }

  #bundle({ outputFiles = [], metafile, warnings }: BuildResult): Bundle {
    const file = (ending: string) =>
      outputFiles.find(({ path }) => path.endsWith(ending))?.contents as Uint8Array
    const imports = Object.values(metafile?.outputs ?? {}).flatMap((output) => output.imports)
    const externals = imports
      .filter(({ external, kind, path }) => external && kind === "import-statement" && !isBuiltin(path))
      .map(({ path }) => path)
    return {
      code: file(".mjs"),
      map: file(".map"),
      inputs: Object.keys(metafile?.inputs ?? {}).map((path) => join(this.#options.root, path)),
      externals: [...new Set(externals)],
      warnings: warnings.map((message) => problemOf(this.#options.root, message)),
    }
  }
}

function buildOptions({ root, entry, outfile }: BundleOptions): BuildOptions {
  const linked = linkedPackages(root)
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    write: false,
    bundle: true,
    metafile: true,
    platform: "node",
    format: "esm",
    target: `node${process.versions.node}`,
    sourcemap: "external",
    sourcesContent: false,
    keepNames: true,
    charset: "utf8",
    logLevel: "silent",
    banner: { js: banner },
    // A package that is a link to a folder of the workspace is the project's own code: it may be TypeScript, and it changes.
    ...(linked.size === 0
      ? { packages: "external" }
      : { external: ["fw", ...installedPackages(root).filter((name) => !linked.has(name))] }),
  }
}

/** The names below the `node_modules` that the project resolves from, nearest first. */
function installedPackages(root: string): string[] {
  return [...new Set(moduleDirectories(root).flatMap((directory) => packagesIn(directory)))]
}

/** Packages whose files are nowhere below a `node_modules`. fw itself is never bundled, wherever it is. */
function linkedPackages(root: string): Set<string> {
  const linked = new Set<string>()
  for (const directory of moduleDirectories(root)) {
    for (const name of packagesIn(directory)) {
      const path = join(directory, name)
      if (name === "fw" || !lstatSync(path).isSymbolicLink() || !existsSync(path)) continue
      if (!realpathSync(path).split(sep).includes("node_modules")) linked.add(name)
    }
  }
  return linked
}

function moduleDirectories(root: string): string[] {
  const parent = dirname(root)
  return [join(root, "node_modules"), ...(parent === root ? [] : moduleDirectories(parent))]
}

function packagesIn(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory).flatMap((name) => {
    if (name.startsWith(".")) return []
    if (!name.startsWith("@")) return [name]
    return readdirSync(join(directory, name)).map((inner) => `${name}/${inner}`)
  })
}
