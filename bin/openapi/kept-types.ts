/** The types of a project, in a program that stays open. */
import type { RouteTree } from "../../lib/tree.ts"
import { type SourceChanges, SourceFiles } from "../project/source-files.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { openTypes, type TypeProgram } from "../tools/typescript/program.ts"
import { describedFiles } from "./described-files.ts"
import { type Described, describe } from "./types/handlers.ts"

/** What a reader needs, and its last result. */
interface Reader {
  files: readonly string[]
  last?: { readonly version: number; readonly key: string; readonly result: unknown }
}

/** The types of a project. They are read once per change, for every reader: the document, and the validators of calls. */
export class KeptTypes {
  readonly #root: string
  #files: SourceFiles
  #program: TypeProgram | undefined
  /** Counts the states of the program. */
  #version = 0
  #turn: Promise<unknown> = Promise.resolve()
  readonly #readers = new Map<string, Reader>()
  /** The files with which the program was opened or updated. */
  #open = ""

  constructor(root: string) {
    this.#root = root
    this.#files = new SourceFiles(root)
  }

  /** Describes the project's current files. */
  describe(tree: RouteTree, main: string | null): Promise<Described | Untyped> {
    const read = (program: TypeProgram) => describe(program, tree, main)
    return this.current("document", describedFiles(tree, main), read, JSON.stringify([tree, main]))
  }

  /**
   * Calls a function with a program of the current files. If nothing has changed since the reader's last call, returns its result.
   *
   * @param reader its name.
   * @param files the files that it needs.
   * @param read is called once more if TypeScript's process ended meanwhile.
   * @param key what else the result depends on.
   */
  current<T>(
    reader: string,
    files: readonly string[],
    read: (program: TypeProgram) => T,
    key = "",
  ): Promise<T | Untyped> {
    const work = async () => {
      const first = await this.#once(reader, files, read, key)
      if (first !== null) return first
      // A process that the system has killed, maybe to free memory, is started once more.
      this.#forget()
      return (await this.#once(reader, files, read, key)) ?? lost
    }
    // After all earlier work.
    const done = this.#turn.then(work, work)
    this.#turn = done
    return done
  }

  /** Ends TypeScript's process, after running work. */
  async close(): Promise<void> {
    await this.#turn.catch(() => {})
    this.#forget()
  }

  /** Closes the program, and drops the state of the files. */
  #forget(): void {
    this.#program?.close()
    this.#program = undefined
    this.#files = new SourceFiles(this.#root)
    this.#version += 1
  }

  async #once<T>(name: string, files: readonly string[], read: (program: TypeProgram) => T, key: string) {
    const reader: Reader = this.#readers.get(name) ?? { files }
    this.#readers.set(name, reader)
    reader.files = files
    const program = this.#updated() ?? (await this.#opened())
    if ("untyped" in program) return program
    const version = this.#version
    if (reader.last?.version === version && reader.last.key === key) return reader.last.result as T
    const result = unlessEnded(program, () => read(program))
    if (result === null) return null
    this.#files.follow(program.outside)
    reader.last = { version, key, result }
    return result
  }

  /** The files of every reader. */
  get #wanted(): readonly string[] {
    return [...new Set([...this.#readers.values()].flatMap(({ files }) => files))].sort()
  }

  async #opened(): Promise<TypeProgram | Untyped> {
    this.#forget()
    const files = this.#wanted
    this.#open = files.join()
    this.#files.look()
    const program = await openTypes(this.#root, { files })
    if (!("untyped" in program)) this.#program = program
    return program
  }

  /** Brings the program up to date; null if it must be opened again. */
  #updated(): TypeProgram | null {
    const program = this.#program
    const { changed, created, deleted, ground } = program ? this.#files.look() : none
    if (!program || ground || !program.answers()) return null
    const files = this.#wanted
    const isSame = changed.length + created.length + deleted.length === 0
    if (isSame && files.join() === this.#open) return program
    this.#version += 1
    try {
      program.update({ changed, created, deleted }, files)
    } catch {
      return null
    }
    this.#open = files.join()
    return program
  }
}

const none: SourceChanges = { changed: [], created: [], deleted: [], ground: false }

/** Calls a function; returns null if TypeScript's process has ended meanwhile. */
function unlessEnded<T>(program: TypeProgram, read: () => T): T | null {
  try {
    const result = read()
    return program.answers() ? result : null
  } catch (error) {
    if (program.answers()) throw error
    return null
  }
}

const lost: Untyped = {
  untyped: "TypeScript's process ended before it had read the project",
  fix: "Make sure that there is enough memory, then run this again.",
}

/** The open programs of this process, by project. */
let shared: Map<string, KeptTypes> | undefined

/**
 * Keeps one program per project open, for a process that uses it more than once.
 *
 * @returns a function that ends this, and TypeScript's processes.
 */
export function keepTypes(): () => Promise<void> {
  const own = new Map<string, KeptTypes>()
  shared = own
  return async () => {
    if (shared === own) shared = undefined
    await Promise.all([...own.values()].map((types) => types.close()))
  }
}

/** Returns the project's open program; undefined in a process that keeps none. */
export function keptTypes(root: string): KeptTypes | undefined {
  const types = shared?.get(root) ?? (shared && new KeptTypes(root))
  if (types) shared?.set(root, types)
  return types
}
