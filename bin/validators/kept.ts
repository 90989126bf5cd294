/** The calls of a project that is changed again and again: only files that depend on a change are read. */
import { join } from "node:path"
import type { KeptTypes } from "../openapi/kept-types.ts"
import { brokenSyntax } from "../openapi/types/broken-syntax.ts"
import { stampOf } from "../project/stamps.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { slashes } from "../tools/typescript/config.ts"
import { sourceFiles, untypedCalls } from "./prepare.ts"
import { candidates, type FileCalls, readCalls, sourceText } from "./read.ts"
import { CallRoots } from "./roots.ts"

/** The calls of a project. */
export class KeptCalls {
  readonly #root: string
  readonly #types: KeptTypes
  /** By file. */
  #files = new Map<string, FileCalls>()
  /** The files of the project, with the answer for each state of a file. */
  #known = new Map<string, { readonly stamp: string | null; readonly isRoot: boolean }>()
  /** Files of the program that may have calls. */
  #candidates = new Set<string>()

  constructor(root: string, types: KeptTypes) {
    this.#root = root
    this.#types = types
  }

  /** Returns the current calls; the reason if the types of a call cannot be read. */
  async read(): Promise<readonly FileCalls[] | Untyped> {
    const roots = await this.#roots()
    if (roots.length === 0) return []
    const read = await this.#types.current("calls", roots, ({ program, stale }) => {
      const files = program.ownFiles(true).map((path) => program.relative(path))
      const isStale = (file: string) => stale === null || stale.has(slashes(join(this.#root, file)))
      const fresh = candidates(
        this.#root,
        files.filter((file) => isStale(file) || !this.#candidates.has(file)),
      )
      const present = new Set(files)
      const again = fresh.filter((file) => isStale(file) || !this.#files.has(file))
      const kept = [...this.#files].filter(([file]) => present.has(file) && !isStale(file))
      this.#files = new Map([
        ...kept,
        ...readCalls(program, again).map((found) => [found.file, found] as const),
      ])
      this.#candidates = new Set(files)
      return (this.#files.size > 0 && brokenSyntax(program)) || [...this.#files.values()]
    })
    if (!("untyped" in read)) return read
    return untypedCalls(this.#root, roots) ? read : []
  }

  /** The files whose types are read for their calls. Files that did not change are not read again. */
  async #roots(): Promise<string[]> {
    const files = await sourceFiles(this.#root)
    const roots = new CallRoots(this.#root)
    const now = files.map((file) => {
      const path = join(this.#root, file)
      const stamp = stampOf(path)
      const known = this.#known.get(file)
      const isKnown = known !== undefined && stamp !== null && known.stamp === stamp
      return [file, isKnown ? known : { stamp, isRoot: roots.has(file, sourceText(path) ?? "") }] as const
    })
    this.#known = new Map(now)
    return now.filter(([, { isRoot }]) => isRoot).map(([file]) => file)
  }
}
