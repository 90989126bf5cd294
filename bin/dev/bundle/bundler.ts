/** Builds the project's code as one program, again and again: bundles all of it or patches the changed modules. */
import { join, relative, sep } from "node:path"
import type { BuildContext, BuildOptions, BuildResult } from "esbuild"
import { type Esbuild, isBuildFailure, loadEsbuild, toBuildProblem, toBuildProblems } from "../../project/esbuild.ts"
import { createMetaPlugin, findFilesWithMeta, usesOwnPath } from "../../project/import-meta.ts"
import { jsxPlugin } from "../../project/jsx.ts"
import type { Problem } from "../../project/problems.ts"
import { BundleGraph, type GraphEntry } from "./bundle-graph.ts"
import { createCommonOptions, readPackageOptions } from "./bundle-options.ts"
import { makePatch, type Patch } from "./bundle-patch.ts"

/** A bundle, and patches for some of its modules. */
export interface Program {
  readonly bundle: Bundle
  readonly patches: readonly Patch[]
}

/** A bundle that esbuild has made. */
export interface Bundle {
  readonly code: Uint8Array
  readonly map: Uint8Array
  /** Absolute paths of the source files. */
  readonly inputs: readonly string[]
  /** The packages that the program imports when it starts. */
  readonly externals: readonly string[]
  readonly warnings: readonly Problem[]
}

/**
 * The entry module of a bundle. Its table contains the modules of the project that the bundler has found so far.
 */
export interface BundleEntry extends GraphEntry {
  readonly shared: readonly string[]
  readonly mayAwait: boolean
  setShared(shared: readonly string[]): Promise<boolean>
  setMayAwait(mayAwait: boolean): Promise<boolean>
}

/** The project to bundle, the entry of its bundles, and where they are written. */
export interface BundlerOptions {
  /** The project's directory. */
  readonly root: string
  readonly entry: BundleEntry
  /** The directory of the bundles. File names in source maps are relative to it. */
  readonly directory: string
}

/** The options of esbuild's context, which makes all bundles of a session. */
type EsbuildOptions = ReturnType<typeof createCommonOptions> & BuildOptions
type FailedBuild = { readonly problems: readonly Problem[] }

/**
 * Defines `require`, because CommonJS files in the bundle call it (https://github.com/evanw/esbuild/issues/1921).
 */
const banner =
  'import { createRequire as fwCreateRequire } from "node:module"; var require = fwCreateRequire(import.meta.url);'

/** Builds programs. Packages are not bundled, so it reads only the project's own code. */
export class Bundler {
  readonly #options: BundlerOptions
  readonly #esbuild: Esbuild
  #context: BuildContext<EsbuildOptions>
  /** Files in which the current options keep `import.meta` working. */
  #metaFiles: readonly string[] = []
  /** The last bundle, and the patches since then by the path of their module. */
  #last: { readonly bundle: Bundle; readonly graph: BundleGraph; readonly patches: Map<string, Patch> } | undefined
  /** The modules that have changed since the last bundle. */
  readonly #changedNames = new Set<string>()

  private constructor(options: BundlerOptions, esbuild: Esbuild, context: BuildContext<EsbuildOptions>) {
    this.#options = options
    this.#esbuild = esbuild
    this.#context = context
  }

  /**
   * Opens a bundler.
   *
   * @throws FwError `esbuild_missing` if the project has no esbuild.
   */
  static async open(options: BundlerOptions): Promise<Bundler> {
    const esbuild = await loadEsbuild(options.root)
    return new Bundler(options, esbuild, await esbuild.context({ ...toBuildOptions(options), plugins: [jsxPlugin] }))
  }

  /**
   * Builds the current files.
   *
   * @param changed absolute paths of the files that differ from the last program, if it ran; null to bundle
   * everything.
   */
  async build(changed: ReadonlySet<string> | null): Promise<Program | FailedBuild> {
    const patched = changed && (await this.#tryPatch(changed))
    if (patched) return patched
    this.#last = undefined
    this.#changedNames.clear()
    try {
      return { bundle: await this.#bundleUntilStable(), patches: [] }
    } catch (error) {
      if (!isBuildFailure(error)) throw error
      return { problems: toBuildProblems(this.#options.root, error) }
    }
  }

  /** Closes esbuild's context and its process. */
  async close(): Promise<void> {
    await this.#context.dispose()
    await this.#esbuild.stop()
  }

  /**
   * Returns the last bundle with patches for the changes; null if the changes cannot be patched.
   *
   * @param changed absolute paths of the files that differ from the last program, which ran.
   */
  async #tryPatch(changed: ReadonlySet<string>): Promise<Program | null> {
    const last = this.#last
    if (!last) return null
    for (const path of changed) {
      const name = this.#toName(path)
      if (last.bundle.inputs.includes(path)) this.#changedNames.add(name)
      else if (this.#mayBeResolved(name)) return null
      last.patches.delete(name)
    }
    const modules = last.graph.findReplaceable(this.#changedNames)
    const filesWithWarnings = last.bundle.warnings.map(({ file }) => file)
    if (!modules || modules.some(({ path }) => filesWithWarnings.includes(path))) return null
    const patches = await Promise.all(
      modules.map(async (module) => {
        const patch = last.patches.get(module.path) ?? (await makePatch(this.#esbuild, this.#options, module))
        if (patch) last.patches.set(module.path, patch)
        return patch
      }),
    )
    return patches.includes(null) ? null : { bundle: last.bundle, patches: patches as Patch[] }
  }

  /**
   * Bundles until the entry and the list of files with `import.meta` no longer change. Each round removes a reason
   * for another one, so a few rounds are enough.
   */
  async #bundleUntilStable(): Promise<Bundle> {
    for (;;) {
      const bundle = await this.#bundleOnce()
      if (bundle) return bundle
    }
  }

  /** Bundles once. Returns null if the entry or an option was changed, so that another round is needed. */
  async #bundleOnce(): Promise<Bundle | null> {
    const { entry } = this.#options
    const result = await this.#context.rebuild().catch((error: unknown) => this.#repairEntry(error))
    if (!result) return null
    const graph = new BundleGraph(result.metafile, entry)
    const bundle = this.#toBundle(result, graph)
    if ((await this.#keepMeta(bundle)) || (await this.#updateEntry(bundle, graph))) return null
    if (!entry.mayAwait) this.#last = { bundle, graph, patches: new Map() }
    return bundle
  }

  /** Updates the entry for a bundle. Returns true if the entry changed. */
  async #updateEntry({ code }: Bundle, { shared }: BundleGraph): Promise<boolean> {
    const { entry } = this.#options
    if (hasAwait(code) !== entry.mayAwait && (await entry.setMayAwait(!entry.mayAwait))) return true
    return !entry.mayAwait && (await entry.setShared(shared))
  }

  /**
   * Changes the entry if it caused a failure.
   *
   * @throws the given error otherwise.
   */
  async #repairEntry(error: unknown): Promise<null> {
    const { entry } = this.#options
    if (!isBuildFailure(error)) throw error
    // The table also contains modules that the program may no longer import. These may be deleted or broken.
    if (entry.shared.length > 0 && (await entry.setShared([]))) return null
    const mustAwait = error.errors.some(({ location, text }) => {
      return location?.file === entry.file && text.includes("top-level await")
    })
    if (!mustAwait || !(await entry.setMayAwait(true))) throw error
    return null
  }

  /**
   * Adds files that have begun to use their own path to the list of files in which `import.meta` is kept. Returns
   * true if there are such files, so that another round is needed.
   */
  async #keepMeta({ code, inputs }: Bundle): Promise<boolean> {
    if (!usesOwnPath(toText(code).slice(banner.length))) return false
    const files = findFilesWithMeta(inputs)
    if (files.every((path) => this.#metaFiles.includes(path))) return false
    this.#metaFiles = files
    await this.#context.dispose()
    this.#context = await this.#esbuild.context({
      ...toBuildOptions(this.#options),
      plugins: [jsxPlugin, createMetaPlugin(files)],
    })
    return true
  }

  #toBundle({ outputFiles = [], metafile, warnings }: BuildResult<EsbuildOptions>, graph: BundleGraph): Bundle {
    const findOutput = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.contents as Uint8Array
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
    const externals = imports
      .filter(({ external, kind }) => external && kind === "import-statement")
      .map(({ path }) => path)
    const { root } = this.#options
    return {
      code: findOutput(".mjs"),
      map: findOutput(".map"),
      inputs: graph.paths.map((path) => join(root, path)),
      externals: [...new Set(externals)],
      warnings: warnings.map((message) => toBuildProblem(root, message)),
    }
  }

  /**
   * Returns true if an import in the bundle may resolve to a file that was created or deleted outside the bundle.
   */
  #mayBeResolved(name: string): boolean {
    // The imports of fw's other generated files contain their complete names.
    if (name.startsWith(".fw/")) return name === this.#options.entry.file
    return !name.endsWith(".tpl") && /(?:\.[cm]?[jt]sx?|\.json|(?:^|\/)[^./]*)$/.test(name)
  }

  /** Returns a path in esbuild's notation. */
  #toName(path: string): string {
    return relative(this.#options.root, path).split(sep).join("/")
  }
}

function toText(code: Uint8Array): string {
  return Buffer.from(code.buffer, code.byteOffset, code.byteLength).toString("latin1")
}

/** Returns true if a module of a bundle has a top-level await. esbuild wraps such a module in an async function. */
function hasAwait(code: Uint8Array): boolean {
  return /__esm\d*\(\{\s+async /.test(toText(code))
}

function toBuildOptions({ root, entry, directory }: BundlerOptions): EsbuildOptions {
  return {
    ...readPackageOptions(root),
    ...createCommonOptions(root),
    entryPoints: [entry.file],
    outfile: join(directory, "server.mjs"),
    bundle: true,
    sourcemap: "external",
    banner: { js: banner },
  }
}
