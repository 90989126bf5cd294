/** The esbuild plugin that leaves packages and native code out of a bundle, so that the program loads them as files. */

import { createHash } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
import { isBuiltin } from "node:module"
import { basename, join } from "node:path"
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild"
import type { ExternalFiles } from "../../adapters/executable/external.ts"
import { compareByCodeUnit } from "../../lib/order.ts"
import { buildFault } from "../messages/build.ts"
import { toProjectPath } from "../project/problems.ts"
import type { Settings } from "../project/settings.ts"
import { readPackageName } from "../tools/npm.ts"
import { isForMachine } from "./binary-format.ts"
import type { BundleKind } from "./bundle.ts"
import { formatMachine, type Machine } from "./executable/node-release.ts"
import { type AddonCheck, ExternalPackages, type FileToCopy, isInstalled, isOptionalFor } from "./external-packages.ts"
import { checkAbi, checkRuntime, type OtherRuntime } from "./native-abi.ts"

/**
 * How the program loads packages that are not in the bundle: an executable unpacks them, other targets have them as
 * files next to the bundle, and workers cannot load them.
 */
export type ExternalMode = "embedded" | "beside" | "none"

/** Namespaces of esbuild for the modules that replace external packages. */
const namespaces = { import: "fw-external-import", require: "fw-external", missing: "fw-missing" } as const

/** Finds the packages and native addons that stay outside of a bundle. */
export class ExternalCode {
  readonly #root: string
  readonly #mode: ExternalMode
  readonly #runtime: OtherRuntime | undefined
  readonly #packages: ExternalPackages
  readonly #optional: ReadonlySet<string>
  /** The path next to the bundle for each addon that is imported by path. The key is the source file of the addon. */
  readonly #addons = new Map<string, string>()

  /**
   * @param kind names the runtime that runs the bundle, if it is not Node.
   * @throws FwError `build_external` for a package that is not installed, and for every package if the target
   * cannot have files next to the bundle.
   */
  constructor(root: string, kind: Pick<BundleKind, "outside" | "runtime">, { external, optional }: Settings) {
    this.#root = root
    this.#mode = kind.outside
    this.#runtime = kind.runtime
    this.#packages = new ExternalPackages(root)
    this.#optional = new Set(optional)
    for (const name of external) {
      if (this.#mode === "none") throw buildFault("build_external.worker", [name])
      if (!this.#packages.add(name, root) && !this.#optional.has(name)) throw buildFault("build_external", [name])
    }
  }

  readonly plugin: Plugin = {
    name: "fw-external",
    setup: (build) => this.#setup(build),
  }

  /**
   * Returns the files to copy, in a stable order.
   *
   * @param needed the modules that the program imports when it starts. The runtime must be able to load these;
   * others may be meant for another runtime.
   * @throws FwError `native_machine` for code that is not for this machine, `native_node` for code that the runtime
   * cannot load.
   */
  listNeededFiles(machine: Machine, needed: ReadonlySet<string>): readonly FileToCopy[] {
    const check = this.#createCheck(needed)
    const addons = [...this.#addons].map(([source, path]) => {
      if (!isForMachine(source, machine))
        throw buildFault("native_machine.addon", [toProjectPath(this.#root, source), formatMachine(machine)])
      check(toProjectPath(this.#root, source), [source], `./${path}`)
      return { path, source }
    })
    return [
      ...this.#packages.listNeededFiles(machine, check),
      ...addons.sort((a, b) => compareByCodeUnit(a.path, b.path)),
    ]
  }

  /**
   * Returns a function that checks whether the runtime can load addons.
   *
   * @param needed names of packages, and paths of addons in the bundle, that must be loadable.
   */
  #createCheck(needed: ReadonlySet<string>): (...args: [...Parameters<AddonCheck>, module?: string]) => void {
    const runtime = this.#runtime
    if (this.#mode === "embedded") return checkAbi
    if (runtime === undefined) return () => {}
    return (name, addons, module = name) => {
      if (needed.has(module)) checkRuntime(runtime, name, addons)
    }
  }

  #setup(build: PluginBuild): void {
    build.onResolve({ filter: /^(?:@[^/]+\/)?[^./\\@#]/ }, (args) => this.#resolvePackage(args))
    build.onResolve({ filter: /^\.{1,2}\/.*\.node$/ }, ({ path, resolveDir, namespace, kind }) => {
      const source = join(resolveDir, path)
      if (namespace !== "file" || !existsSync(source)) return undefined
      if (this.#mode === "none") return createWorkerError(toProjectPath(this.#root, source), "is")
      return this.#leaveOut(`./${this.#addAddon(source)}`, kind)
    })
    const inner = { filter: /.*/, namespace: namespaces.import }
    build.onResolve(inner, ({ path }) => ({ path, namespace: namespaces.require }))
    build.onLoad(inner, ({ path }) => ({ contents: renderImportedModule(JSON.stringify(path)) }))
    build.onResolve({ filter: /.*/, namespace: namespaces.require }, ({ path }) => ({ path, external: true }))
    build.onLoad({ filter: /.*/, namespace: namespaces.require }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
    build.onLoad({ filter: /.*/, namespace: namespaces.missing }, ({ path }) => ({
      contents: `module.exports = (() => { throw Object.assign(new Error(${JSON.stringify(`Cannot find package '${path}': it was not installed when this program was built`)}), { code: "MODULE_NOT_FOUND" }) })()`,
    }))
  }

  #resolvePackage({ path, resolveDir, namespace, kind }: OnResolveArgs): OnResolveResult | undefined {
    // Deno accepts Node's modules only with the prefix `node:`.
    if (isBuiltin(path)) return path.startsWith("node:") ? undefined : { path: `node:${path}`, external: true }
    const name = readPackageName(path)
    if (name === null || name === "fw" || namespace !== "file" || kind === "entry-point") return undefined
    const directory = this.#packages.find(name, resolveDir)
    if (directory === null) {
      if (isInstalled(name, resolveDir)) return undefined
      // An import declaration cannot be caught, so the package is needed even if a package.json calls it optional.
      const isOptional = kind !== "import-statement" && isOptionalFor(name, resolveDir)
      return isOptional || this.#optional.has(name) ? resolveToMissing(path, kind) : undefined
    }
    if (this.#mode === "none") return createWorkerError(name, "has")
    this.#packages.markImported(name, directory)
    return this.#leaveOut(path, kind)
  }

  /**
   * Replaces an external module by one that loads it when the program runs. An executable can load files only with
   * `require`.
   */
  #leaveOut(path: string, kind: OnResolveArgs["kind"]): OnResolveResult {
    const isImport = kind === "import-statement" || kind === "dynamic-import"
    if (this.#mode === "beside" || !isImport) return { path, external: true }
    return { path, namespace: namespaces.import }
  }

  /** Adds an addon. Its path contains a hash, because several addons may have the same file name. */
  #addAddon(source: string): string {
    const digest = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 12)
    const name = `${digest}-${basename(source)}`
    this.#addons.set(source, `addons/${name}`)
    return `addons/${name}`
  }
}

/**
 * Returns a module that exports what `import` of an external package would give: all names, and as default either
 * the default export of an ES module or the whole CommonJS module.
 *
 * @param name a JavaScript string literal.
 */
function renderImportedModule(name: string): string {
  return `export * from ${name}
const found = require(${name})
export default found?.[Symbol.toStringTag] === "Module" ? found.default : found`
}

/**
 * Resolves a package that is not installed to a module that throws when it is loaded. A call of `require.resolve()`
 * stays, because it throws itself.
 */
function resolveToMissing(path: string, kind: OnResolveArgs["kind"]): OnResolveResult {
  return kind === "require-resolve" ? { path, external: true } : { path, namespace: namespaces.missing }
}

/**
 * Returns the error about native code in a bundle for workers.
 *
 * @param name a package that contains native code (`has`), or a native file (`is`).
 */
function createWorkerError(name: string, verb: "has" | "is"): OnResolveResult {
  const text = `${name} ${verb} native code, which does not run in workers`
  return { errors: [{ text, notes: [{ text: "Use a package that has only JavaScript or WebAssembly." }] }] }
}

/** Returns the list of the files outside of an executable's bundle, and the bytes of all of them in that order. */
export function packExternal(files: readonly FileToCopy[]): {
  readonly list: ExternalFiles
  readonly bytes: Uint8Array
} {
  const entries = files.map(({ path, source }) => {
    const { size, mode } = statSync(source)
    return [path, { size, executable: process.platform !== "win32" && (mode & 0o100) !== 0 }] as const
  })
  const filesByPath = Object.fromEntries(entries)
  const bytes = Buffer.concat(files.map(({ source }) => readFileSync(source)))
  const id = createHash("sha256").update(JSON.stringify(filesByPath)).update(bytes).digest("hex").slice(0, 16)
  return { list: { id, files: filesByPath }, bytes }
}
