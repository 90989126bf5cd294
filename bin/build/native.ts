/** The esbuild plugin that excludes native code from a bundle, so that the program requires it at run time. */

import { createHash } from "node:crypto"
import { existsSync, readFileSync, statSync } from "node:fs"
import { isBuiltin } from "node:module"
import { basename, join } from "node:path"
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "esbuild"
import type { NativeFiles } from "../../adapters/executable/native.ts"
import { byCodeUnit } from "../../lib/order.ts"
import { buildFault } from "../messages/build.ts"
import { shownPath } from "../project/problems.ts"
import { programPath } from "../system/package.ts"
import { packageOf } from "../tools/npm.ts"
import { machinesOf } from "./binary-format.ts"
import { type Machine, shownMachine } from "./executable/node-release.ts"
import { checkAbi, checkRuntime, type OtherRuntime } from "./native-abi.ts"
import { type AddonCheck, NativePackages, type TakenFile } from "./native-packages.ts"

/** The way in which the program loads native code: unpacked by an executable, from files next to a bundle, or not at all. */
export type NativeMode = "embedded" | "beside" | "none"

/** The module of fw with which an executable requires native code. */
const loader = programPath("adapters/executable/native")

/** Finds the native code of a bundle. */
export class NativeCode {
  readonly #root: string
  readonly #mode: NativeMode
  readonly #runtime: OtherRuntime | undefined
  readonly #packages = new NativePackages()
  /** Addons that are imported by path. */
  readonly #addons = new Map<string, string>()

  /** @param runtime runs the bundle, if it is not Node. */
  constructor(root: string, mode: NativeMode, runtime?: OtherRuntime) {
    this.#root = root
    this.#mode = mode
    this.#runtime = runtime
  }

  readonly plugin: Plugin = {
    name: "fw-native",
    setup: (build) => this.#setup(build),
  }

  /**
   * Returns the files to copy, in a stable order.
   *
   * @param needed modules without which the program does not start. Bun and Deno must be able to load these; others may be
   *   for another runtime.
   * @throws FwError `native_machine` for code that is not for this machine, `native_node` for code that the runtime cannot
   *   load.
   */
  files(machine: Machine, needed: ReadonlySet<string>): readonly TakenFile[] {
    const check = this.#check(needed)
    const addons = [...this.#addons].map(([source, path]) => {
      if (!machinesOf(source)?.some(({ os, arch }) => os === machine.os && arch === machine.arch))
        throw buildFault("native_machine.addon", [shownPath(this.#root, source), shownMachine(machine)])
      check(shownPath(this.#root, source), [source], `./${path}`)
      return { path, source }
    })
    return [...this.#packages.files(machine, check), ...addons.sort((a, b) => byCodeUnit(a.path, b.path))]
  }

  /** Returns the check of the runtime. @param needed names of packages, and paths of addons in the bundle. */
  #check(needed: ReadonlySet<string>): (...args: [...Parameters<AddonCheck>, module?: string]) => void {
    const runtime = this.#runtime
    if (this.#mode === "embedded") return checkAbi
    if (runtime === undefined) return () => {}
    return (name, addons, module = name) => {
      if (needed.has(module)) checkRuntime(runtime, name, addons)
    }
  }

  #setup(build: PluginBuild): void {
    build.onResolve({ filter: /^(?:@[^/]+\/)?[^./\\@#]/ }, (args) => this.#resolvePackage(args))
    build.onResolve({ filter: /^\.{1,2}\/.*\.node$/ }, ({ path, resolveDir, namespace }) => {
      const source = join(resolveDir, path)
      if (namespace !== "file" || !existsSync(source)) return undefined
      if (this.#mode === "none") return refusedInWorkers(shownPath(this.#root, source), "is")
      return this.#leave("addons", this.#takeAddon(source))
    })
    build.onLoad({ filter: /.*/, namespace: "fw-native" }, ({ pluginData }) => {
      const { from, specifier } = pluginData as { from: string; specifier: string }
      const call = `requireNative(${JSON.stringify(from)}, ${JSON.stringify(specifier)})`
      return {
        contents: `module.exports = require(${JSON.stringify(loader)}).${call}`,
        loader: "js",
        resolveDir: "/",
      }
    })
  }

  #resolvePackage({ path, resolveDir, namespace, kind }: OnResolveArgs): OnResolveResult | undefined {
    // Deno accepts Node's modules only under this name.
    if (isBuiltin(path))
      return path.startsWith("node:") ? undefined : { path: `node:${path}`, external: true }
    const name = packageOf(path)
    if (name === null || name === "fw" || namespace !== "file" || kind === "entry-point") return undefined
    const directory = this.#packages.find(name, resolveDir)
    if (directory === null) return undefined
    if (this.#mode === "none") return refusedInWorkers(name, "has")
    this.#packages.take(name, directory)
    return this.#leave("", path)
  }

  /**
   * Leaves a module out of the bundle.
   *
   * @param from directory from which it is resolved, below the directory of all native code.
   */
  #leave(from: string, specifier: string): OnResolveResult {
    if (this.#mode === "beside") {
      return { path: from === "" ? specifier : `./${from}/${basename(specifier)}`, external: true }
    }
    return { path: `${from}:${specifier}`, namespace: "fw-native", pluginData: { from, specifier } }
  }

  /** Adds an addon. Two files with the same name in different directories get different paths. */
  #takeAddon(source: string): string {
    const digest = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 12)
    const name = `${digest}-${basename(source)}`
    this.#addons.set(source, `addons/${name}`)
    return `./${name}`
  }
}

/** Returns the error of native code in a bundle for workers. @param name the package that has it, or the file that is it. */
function refusedInWorkers(name: string, verb: "has" | "is"): OnResolveResult {
  const text = `${name} ${verb} native code, which does not run in workers`
  return { errors: [{ text, notes: [{ text: "Use a package that has only JavaScript or WebAssembly." }] }] }
}

/** Returns the list of native files that an executable reads. */
export function nativeList(files: readonly TakenFile[]): NativeFiles {
  const entries = files.map(({ path, source }) => {
    const sha256 = createHash("sha256").update(readFileSync(source)).digest("hex")
    const executable = process.platform !== "win32" && (statSync(source).mode & 0o100) !== 0
    return [path, { sha256, executable }] as const
  })
  const listed = Object.fromEntries(entries)
  const id = createHash("sha256").update(JSON.stringify(listed)).digest("hex").slice(0, 16)
  return { id, files: listed }
}
