/** Which Node can load a native addon: any that has Node-API, or only one major version. */
import { readFileSync } from "node:fs"
import { buildFault } from "../messages/build.ts"
import { nodeAbi, nodeVersion } from "./executable/node-release.ts"

/** Symbols of an addon that uses Node-API, whose binary interface all versions share (Node documentation, "Node-API"). */
const nodeApi = ["napi_register_module_v1", "napi_module_register"] as const

/** The start of the symbol that names the one version an addon is compiled for (`src/node.h`, `NODE_MODULE_INIT`). */
const versioned = "node_register_module_v"

/** Packages that many projects have, and what works in their place. */
const replacements: Readonly<Record<string, string>> = {
  "better-sqlite3": "Use libsql, which has the same API, or node:sqlite.",
}

/** What an addon needs of the Node that loads it: Node-API, or one `NODE_MODULE_VERSION`. Null for a library that is not an addon. */
export type Needs = "node-api" | number | null

/**
 * Reads what an addon needs, by the names of the functions in it.
 *
 * @param here the version of the Node that runs: an addon without a version in its names was compiled for it.
 */
export function needsOf(path: string, here: number = Number(process.versions.modules)): Needs {
  const file = readFileSync(path)
  if (nodeApi.some((name) => file.includes(name))) return "node-api"
  const at = file.indexOf(versioned)
  if (at >= 0)
    return Number.parseInt(file.toString("latin1", at + versioned.length, at + versioned.length + 6), 10)
  return file.includes("node_module_register") ? here : null
}

/**
 * Checks that the Node inside of an executable can load one of a package's addons. A package may bring several, each for
 * another version.
 *
 * @throws FwError `native_node` otherwise.
 */
export function checkAbi(name: string, addons: readonly string[]): void {
  const needs = addons.map((path) => needsOf(path))
  const wrong = needs.find((need) => typeof need === "number")
  if (wrong === undefined || needs.includes("node-api") || needs.includes(nodeAbi)) return
  throw buildFault("native_node", [name, wrong, nodeVersion, nodeAbi, replacements[name]])
}
