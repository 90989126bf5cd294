/** Keeps the program with a project's types open between uses. */
import type { RouteTree } from "../../lib/tree.ts"
import { type SourceChanges, SourceFiles } from "../project/source-files.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { openTypes, type TypeProgram } from "../tools/typescript/program.ts"
import { listDescribedFiles } from "./described-files.ts"
import { describeRoutes, type ProjectDescription } from "./types/handlers.ts"

/** The files that a reader needs, and its last result. */
interface Reader {
  files: readonly string[]
  last?: { readonly version: number; readonly key: string; readonly result: unknown }
}

/**
 * The types of a project. After a change, they are read once for all readers, such as the document and the
 * validators of calls.
 */
export class TypeCache {
  readonly #root: string
  #files: SourceFiles
  #program: TypeProgram | undefined
  /** Increases with every update of the program. */
  #version = 0
  #pendingWork: Promise<unknown> = Promise.resolve()
  readonly #readers = new Map<string, Reader>()
  /** The files with which the program was opened or updated. */
  #openedFiles = ""

  constructor(root: string) {
    this.#root = root
    this.#files = new SourceFiles(root)
  }

  /** Describes the routes in the project's current files. */
  describe(tree: RouteTree, main: string | null): Promise<ProjectDescription | Untyped> {
    const read = (program: TypeProgram) => describeRoutes(program, tree, main)
    return this.useProgram("document", listDescribedFiles(tree, main), read, JSON.stringify([tree, main]))
  }

  /**
   * Calls a function with a program for the current files. If nothing has changed since the reader's last call,
   * returns the last result.
   *
   * @param reader the name of the reader.
   * @param files the files that it needs.
   * @param read called again if TypeScript's process has ended meanwhile.
   * @param key anything else that the result depends on.
   */
  useProgram<T>(
    reader: string,
    files: readonly string[],
    read: (program: TypeProgram) => T,
    key = "",
  ): Promise<T | Untyped> {
    const work = async () => {
      const first = await this.#readOnce(reader, files, read, key)
      if (first !== null) return first
      // The system may have killed the process to free memory, so it is started once more.
      this.#reset()
      return (await this.#readOnce(reader, files, read, key)) ?? processEnded
    }
    // Runs after all earlier work, whether that succeeded or failed.
    const done = this.#pendingWork.then(work, work)
    this.#pendingWork = done
    return done
  }

  /** Ends TypeScript's process after the current work. */
  async close(): Promise<void> {
    await this.#pendingWork.catch(() => {})
    this.#reset()
  }

  /** Closes the program and forgets the state of the files. */
  #reset(): void {
    this.#program?.close()
    this.#program = undefined
    this.#files = new SourceFiles(this.#root)
    this.#version += 1
  }

  async #readOnce<T>(name: string, files: readonly string[], read: (program: TypeProgram) => T, key: string) {
    const reader: Reader = this.#readers.get(name) ?? { files }
    this.#readers.set(name, reader)
    reader.files = files
    const program = this.#updateProgram() ?? (await this.#openProgram())
    if ("untyped" in program) return program
    const version = this.#version
    if (reader.last?.version === version && reader.last.key === key) return reader.last.result as T
    const result = readUnlessEnded(program, () => read(program))
    if (result === null) return null
    this.#files.track(program.outside)
    reader.last = { version, key, result }
    return result
  }

  /** The files that any reader needs. */
  get #neededFiles(): readonly string[] {
    return [...new Set([...this.#readers.values()].flatMap(({ files }) => files))].sort()
  }

  async #openProgram(): Promise<TypeProgram | Untyped> {
    this.#reset()
    const files = this.#neededFiles
    this.#openedFiles = files.join()
    this.#files.findChanges()
    const program = await openTypes(this.#root, { files })
    if (!("untyped" in program)) this.#program = program
    return program
  }

  /** Updates the program for changed files; returns null if it must be opened again. */
  #updateProgram(): TypeProgram | null {
    const program = this.#program
    const { changed, created, deleted, needsNewProgram } = program ? this.#files.findChanges() : noChanges
    if (!program || needsNewProgram || !program.isAlive()) return null
    const files = this.#neededFiles
    const isSame = changed.length + created.length + deleted.length === 0
    if (isSame && files.join() === this.#openedFiles) return program
    this.#version += 1
    try {
      program.update({ changed, created, deleted }, files)
    } catch {
      return null
    }
    this.#openedFiles = files.join()
    return program
  }
}

const noChanges: SourceChanges = { changed: [], created: [], deleted: [], needsNewProgram: false }

/** Calls a function; returns null if TypeScript's process has ended meanwhile. */
function readUnlessEnded<T>(program: TypeProgram, read: () => T): T | null {
  try {
    const result = read()
    return program.isAlive() ? result : null
  } catch (error) {
    if (program.isAlive()) throw error
    return null
  }
}

const processEnded: Untyped = {
  untyped: "TypeScript's process ended before it had read the project",
  fix: "Make sure that there is enough memory, then run this again.",
}

/** The caches by project; undefined if this process keeps none. */
let sharedCaches: Map<string, TypeCache> | undefined

/**
 * Makes this process keep a cache for each project. For a process that reads types more than once.
 *
 * @returns a function that closes the programs and ends TypeScript's processes.
 */
export function keepTypeCaches(): () => Promise<void> {
  const own = new Map<string, TypeCache>()
  sharedCaches = own
  return async () => {
    if (sharedCaches === own) sharedCaches = undefined
    await Promise.all([...own.values()].map((cache) => cache.close()))
  }
}

/** Returns the cache of a project; undefined if this process keeps no caches. */
export function getTypeCache(root: string): TypeCache | undefined {
  const cache = sharedCaches?.get(root) ?? (sharedCaches && new TypeCache(root))
  if (cache) sharedCaches?.set(root, cache)
  return cache
}
