/** The project's own files as one program, made again and again: bundled whole, or with the modules that changed in place of theirs. Used by `fw dev`. */
import { isBuiltin } from "node:module"
import { join, relative, sep } from "node:path"
import type { BuildContext, BuildOptions, BuildResult } from "esbuild"
import { type Esbuild, isBuildFailure, loadEsbuild, problemOf } from "../project/esbuild.ts"
import { asksForPlace, filesWithMeta, ownMeta } from "../project/import-meta.ts"
import { jsxSetup } from "../project/jsx.ts"
import type { Problem } from "../project/problems.ts"
import { Graph, type GraphEntry } from "./bundle-graph.ts"
import { commonOptions, packageOptions } from "./bundle-options.ts"
import { makePatch, type Patch } from "./bundle-patch.ts"

/** A bundle, and what runs in place of some of its modules. */
export interface Program {
  readonly bundle: Bundle
  readonly patches: readonly Patch[]
}

/** What esbuild gives. */
export interface Bundle {
  readonly code: Uint8Array
  readonly map: Uint8Array
  /** The files it was made of, absolute. */
  readonly inputs: readonly string[]
  /** The packages that it imports at its start. */
  readonly externals: readonly string[]
  readonly warnings: readonly Problem[]
}

/** The module that a bundle starts from: it names the modules of the project, as far as the bundler tells it of them. */
export interface BundleEntry extends GraphEntry {
  readonly shared: readonly string[]
  readonly awaits: boolean
  share(shared: readonly string[]): Promise<boolean>
  await(awaits: boolean): Promise<boolean>
}

/** What to bundle. */
export interface BundlerOptions {
  /** The project's directory. */
  readonly root: string
  readonly entry: BundleEntry
  /** The directory that bundles will be written to: source maps name their files from there. */
  readonly directory: string
}

/** What every bundle is built with. */
type Options = ReturnType<typeof commonOptions> & BuildOptions
type Failed = { readonly problems: readonly Problem[] }

/** CommonJS files inside the bundle call it (https://github.com/evanw/esbuild/issues/1921). */
const banner =
  'import { createRequire as fwCreateRequire } from "node:module"; var require = fwCreateRequire(import.meta.url);'

/** Makes programs. Packages stay outside, so only the project's own code is read. */
export class Bundler {
  readonly #options: BundlerOptions
  readonly #esbuild: Esbuild
  #context: BuildContext<Options>
  /** The files whose `import.meta` the context keeps theirs. */
  #meta: readonly string[] = []
  /** The bundle that patches are for, and those made so far, by their modules' paths. */
  #last: { readonly bundle: Bundle; readonly graph: Graph; readonly patches: Map<string, Patch> } | undefined
  /** The modules that have changed since. */
  readonly #changed = new Set<string>()

  private constructor(options: BundlerOptions, esbuild: Esbuild, context: BuildContext<Options>) {
    this.#options = options
    this.#esbuild = esbuild
    this.#context = context
  }

  /** @throws FwError `esbuild_missing` where the project has none. */
  static async open(options: BundlerOptions): Promise<Bundler> {
    const esbuild = await loadEsbuild(options.root)
    return new Bundler(
      options,
      esbuild,
      await esbuild.context({ ...buildOptions(options), plugins: [jsxSetup] }),
    )
  }

  /**
   * Builds what is on disk now.
   *
   * @param changed the files, absolute, that differ from the last program, which ran. Null: nothing is known.
   */
  async build(changed: ReadonlySet<string> | null): Promise<Program | Failed> {
    const patched = changed && (await this.#patched(changed))
    if (patched) return patched
    this.#last = undefined
    this.#changed.clear()
    try {
      return { bundle: await this.#bundled(), patches: [] }
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

  /** The last bundle with patches for what has changed since; null where they would not do. */
  async #patched(changed: ReadonlySet<string>): Promise<Program | null> {
    const last = this.#last
    if (!last) return null
    for (const path of changed) {
      const name = this.#name(path)
      if (last.bundle.inputs.includes(path)) this.#changed.add(name)
      else if (this.#mayBeFound(name)) return null
      last.patches.delete(name)
    }
    const modules = last.graph.replaceable(this.#changed)
    const warned = last.bundle.warnings.map(({ file }) => file)
    if (!modules || modules.some(({ path }) => warned.includes(path))) return null
    const patches = await Promise.all(
      modules.map(async (module) => {
        const patch = last.patches.get(module.path) ?? (await makePatch(this.#esbuild, this.#options, module))
        if (patch) last.patches.set(module.path, patch)
        return patch
      }),
    )
    return patches.includes(null) ? null : { bundle: last.bundle, patches: patches as Patch[] }
  }

  /** Bundles until bundle and entry agree on what the project is made of. */
  async #bundled(): Promise<Bundle> {
    const { entry } = this.#options
    for (;;) {
      const result = await this.#context.rebuild().catch((error: unknown) => this.#retry(error))
      if (!result) continue
      const graph = new Graph(result.metafile, entry)
      const bundle = this.#bundle(result, graph)
      if (await this.#followMeta(bundle)) continue
      if (hasAwait(bundle.code) !== entry.awaits && (await entry.await(!entry.awaits))) continue
      if (!entry.awaits && (await entry.share(graph.shared))) continue
      if (!entry.awaits) this.#last = { bundle, graph, patches: new Map() }
      return bundle
    }
  }

  /** Whether the entry is what fails, and is another one now. @throws what it was given, where it is not. */
  async #retry(error: unknown): Promise<null> {
    const { entry } = this.#options
    if (!isBuildFailure(error)) throw error
    // What the table names beside the program's own imports may be gone, or broken, and of no use any more.
    if (entry.shared.length > 0 && (await entry.share([]))) return null
    const awaits = error.errors.some(({ location, text }) => {
      return location?.file === entry.file && text.includes("top-level await")
    })
    if (!awaits || !(await entry.await(true))) throw error
    return null
  }

  /** Few files ask where they are; a bundle in which one does that is not known yet has to be made again. */
  async #followMeta({ code, inputs }: Bundle): Promise<boolean> {
    if (!asksForPlace(textOf(code).slice(banner.length))) return false
    const files = filesWithMeta(inputs)
    if (files.every((path) => this.#meta.includes(path))) return false
    this.#meta = files
    await this.#context.dispose()
    this.#context = await this.#esbuild.context({
      ...buildOptions(this.#options),
      plugins: [jsxSetup, ownMeta(files)],
    })
    return true
  }

  #bundle({ outputFiles = [], metafile, warnings }: BuildResult<Options>, graph: Graph): Bundle {
    const file = (ending: string) =>
      outputFiles.find(({ path }) => path.endsWith(ending))?.contents as Uint8Array
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
    const externals = imports
      .filter(({ external, kind, path }) => external && kind === "import-statement" && !isBuiltin(path))
      .map(({ path }) => path)
    const { root } = this.#options
    return {
      code: file(".mjs"),
      map: file(".map"),
      inputs: graph.paths.map((path) => join(root, path)),
      externals: [...new Set(externals)],
      warnings: warnings.map((message) => problemOf(root, message)),
    }
  }

  /** Whether a file that is not in the bundle, and comes or goes, may be found in place of one that is. */
  #mayBeFound(name: string): boolean {
    // Of what fw writes, others are imported by their whole names.
    if (name.startsWith(".fw/")) return name === this.#options.entry.file
    return !name.endsWith(".tpl") && /(?:\.[cm]?[jt]sx?|\.json|(?:^|\/)[^./]*)$/.test(name)
  }

  /** A path as esbuild writes it. */
  #name(path: string): string {
    return relative(this.#options.root, path).split(sep).join("/")
  }
}

function textOf(code: Uint8Array): string {
  return Buffer.from(code.buffer, code.byteOffset, code.byteLength).toString("latin1")
}

/** Whether a module of a bundle awaits at its top: esbuild runs it in an async function then. */
function hasAwait(code: Uint8Array): boolean {
  return /__esm\d*\(\{\s+async /.test(textOf(code))
}

function buildOptions({ root, entry, directory }: BundlerOptions): Options {
  return {
    ...packageOptions(root),
    ...commonOptions(root),
    entryPoints: [entry.file],
    outfile: join(directory, "server.mjs"),
    bundle: true,
    sourcemap: "external",
    banner: { js: banner },
  }
}
