/** The graph of compiled modules, by which they are divided among the bundles for Node. */
import { ScriptError } from "./common.mjs"

/** @typedef {{ readonly to: string, readonly kind: string }} Import an absolute path, and esbuild's kind of the import */

/**
 * Divides the modules that every server reaches among the core and its parts. What two parts share, or a part and another
 * file, is in the core.
 *
 * @param {ReadonlyMap<string, readonly Import[]>} graph
 * @param {readonly string[]} roots the modules that every server imports
 * @param {readonly string[]} files the modules that have a file of their own
 * @param {(module: string) => string | undefined} partOf the part that a module is listed in
 */
export function divide(graph, roots, files, partOf) {
  /** @type {Map<string, string>} */
  const listed = new Map()
  for (const module of reachedAtOnce(graph, roots)) {
    const part = partOf(module)
    if (part) listed.set(module, part)
  }
  const parts = new Set(listed.values())
  const shared = new Set(roots)
  for (;;) {
    const core = reachedAtOnce(graph, [...shared], (module) => listed.has(module))
    /** @param {string} module */
    const isOutside = (module) => core.has(module) || listed.has(module)
    const others = files.filter((module) => !core.has(module))
    /** @type {Map<string, string>} */
    const owners = new Map([...reachedAtOnce(graph, others, isOutside)].map((module) => [module, ""]))
    const before = shared.size
    for (const part of parts) {
      const own = [...listed].filter(([, name]) => name === part).map(([module]) => module)
      const reached = reachedAtOnce(graph, own, (module) => isOutside(module) && listed.get(module) !== part)
      for (const module of reached) {
        if ((owners.get(module) ?? part) === part) owners.set(module, part)
        else shared.add(module)
      }
    }
    if (shared.size > before) continue
    return { core, partOfModule: new Map([...owners].filter(([, part]) => part !== "")) }
  }
}

/**
 * Checks that no module is in two files: its classes would be two.
 *
 * @param {readonly [string, import("esbuild").Metafile["outputs"][string]][]} outputs
 */
export function checkOnce(outputs) {
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const [file, { inputs }] of outputs) {
    for (const [module, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput === 0 || !/\.js$/.test(module)) continue
      const other = files.get(module)
      if (other) throw new ScriptError(`${module} is in ${other} and in ${file}`)
      files.set(module, file)
    }
  }
}

/**
 * Modules with all that they import when they are loaded.
 *
 * @param {ReadonlyMap<string, readonly Import[]>} graph @param {readonly string[]} roots
 * @param {(module: string) => boolean} isOutside stops at a module
 */
function reachedAtOnce(graph, roots, isOutside = () => false) {
  /** @type {Set<string>} */
  const reached = new Set()
  const open = [...roots]
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    if (reached.has(module)) continue
    reached.add(module)
    for (const { to, kind } of graph.get(module) ?? [])
      if (kind === "import-statement" && !isOutside(to)) open.push(to)
  }
  return reached
}
