/**
 * Finds out which runtimes can load a native addon. Addons with Node-API run on all of them, others only on one
 * major version of Node.
 */
import { readFileSync } from "node:fs"
import { basename } from "node:path"
import { buildFault } from "../messages/build.ts"
import { nodeAbi, nodeVersion } from "./executable/node-release.ts"

/** Symbols in an addon that uses Node-API, which all versions of Node support (Node documentation, "Node-API"). */
const nodeAPISymbols = ["napi_register_module_v1", "napi_module_register"] as const

/** Start of a symbol that ends with the only version that can load the addon (`src/node.h`, `NODE_MODULE_INIT`). */
const versionedSymbol = "node_register_module_v"

/** Advice for packages that many projects use and that do not work. */
const replacements: Readonly<Record<string, string>> = {
  "better-sqlite3": "Use libsql, which has the same API, or node:sqlite.",
}

/** Advice for Bun, which has SQLite built in. */
const bunAlternatives: typeof replacements = {
  "better-sqlite3": "Use bun:sqlite, which has a similar API, or libsql, which has the same.",
}

/** `NODE_MODULE_VERSION` of Bun 1.2, the first Bun that loads addons without Node-API. */
const firstBunAbi = 127

/** Every version of Bun refuses an addon with this file name. */
const fileRefusedByBun = "better_sqlite3.node"

/**
 * What an addon needs from its runtime: Node-API, or one `NODE_MODULE_VERSION`. Null for a library that is not an
 * addon.
 */
export type AddonNeeds = "node-api" | number | null

/**
 * Returns what an addon needs, from the names of its symbols.
 *
 * @param hostAbi `NODE_MODULE_VERSION` of the running Node, for which an addon without a version was compiled.
 */
export function readAddonNeeds(path: string, hostAbi: number = Number(process.versions.modules)): AddonNeeds {
  const file = readFileSync(path)
  if (nodeAPISymbols.some((name) => file.includes(name))) return "node-api"
  const at = file.indexOf(versionedSymbol)
  if (at >= 0)
    return Number.parseInt(file.toString("latin1", at + versionedSymbol.length, at + versionedSymbol.length + 6), 10)
  return file.includes("node_module_register") ? hostAbi : null
}

/**
 * Checks that the Node in an executable can load at least one of a package's addons. A package may contain several,
 * for different versions.
 *
 * @throws FwError `native_node` otherwise.
 */
export function checkAbi(name: string, addons: readonly string[]): void {
  const needs = addons.map((path) => readAddonNeeds(path))
  const addonAbi = needs.find((need) => typeof need === "number")
  if (addonAbi === undefined || needs.includes("node-api") || needs.includes(nodeAbi)) return
  throw buildFault("native_node", [name, addonAbi, nodeVersion, nodeAbi, replacements[name]])
}

/** A runtime other than Node that runs bundles with native code. */
export type OtherRuntime = "bun" | "deno"

/**
 * Checks that some version of Bun or Deno can load at least one of a package's addons. Deno loads only Node-API.
 * Each version of Bun also loads addons for one version of Node; the version that will run the bundle is not known
 * here.
 *
 * @throws FwError `native_node` otherwise.
 */
export function checkRuntime(runtime: OtherRuntime, name: string, addons: readonly string[]): void {
  const needs = addons.map((path) => ({ path, need: readAddonNeeds(path) }))
  const canLoad = needs.some(({ path, need }) => {
    if (typeof need !== "number") return need === "node-api"
    return runtime === "bun" && need >= firstBunAbi && basename(path) !== fileRefusedByBun
  })
  if (canLoad || needs.every(({ need }) => need === null)) return
  if (runtime === "deno") throw buildFault("native_node.runtime", ["Deno", name, replacements[name]])
  throw buildFault("native_node.runtime", ["Bun", name, bunAlternatives[name]])
}
