/**
 * Finds the files whose types must be read to find the calls in a project: files with calls, and files that import
 * code from outside the project.
 */
import { existsSync, realpathSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { listImportTargets } from "../project/import-names.ts"
import { mayBindPattern } from "./find-calls.ts"
import { isJobFile } from "./read-calls.ts"

const specifierPattern = /\b(?:from|import|require)\s*\(?\s*["']([^"']+)["']/g

/** Decides for each file whether its types must be read. Facts about packages are cached. */
export class CallRoots {
  readonly #root: string
  readonly #leavesByName = new Map<string, boolean>()
  #imports: Readonly<Record<string, readonly string[]>> | undefined

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Returns true if the types of a file must be read. A package of the workspace may contain calls although it is
   * outside the project.
   */
  isRoot(file: string, text: string): boolean {
    if (isJobFile(file) || mayBindPattern.test(text)) return true
    return [...text.matchAll(specifierPattern)].some(([, name = ""]) => this.#leavesProject(name, dirname(file)))
  }

  #leavesProject(name: string, from: string): boolean {
    if (/^(?:\.{1,2}|\.{1,2}\/.*)$/.test(name)) return isAbove(relative(this.#root, resolve(this.#root, from, name)))
    const known = this.#leavesByName.get(name)
    if (known !== undefined) return known
    // Stops at a name that leads back to itself.
    this.#leavesByName.set(name, false)
    const leaves = this.#isOutside(name)
    this.#leavesByName.set(name, leaves)
    return leaves
  }

  #isOutside(name: string): boolean {
    if (/^fw(?:\/|$)/.test(name) || isBuiltin(name)) return false
    if (name.startsWith("#")) return this.#findTargets(name).some((target) => this.#leavesProject(target, "."))
    const [scope = "", own = ""] = name.split("/")
    const directory = join("node_modules", scope, name.startsWith("@") ? own : "")
    for (let at = this.#root; ; at = dirname(at)) {
      const path = join(at, directory)
      if (existsSync(path)) return !realpathSync(path).split(sep).includes("node_modules")
      // In no node_modules: an alias of tsconfig.json, or a module that only the runtime provides.
      if (dirname(at) === at) return true
    }
  }

  /** Returns the targets of a name in `imports` of package.json. */
  #findTargets(name: string): string[] {
    this.#imports ??= listImportTargets(this.#root)
    return Object.entries(this.#imports).flatMap(([key, target]) => {
      const [start = "", end] = key.split("*")
      return key === name || (end !== undefined && name.startsWith(start)) ? target : []
    })
  }
}

function isAbove(path: string): boolean {
  return path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)
}
