/** The program for a project's checks, kept open between calls. */
import { join } from "node:path"
import { KeptProgram } from "../project/kept-program.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { slashes } from "../tools/typescript/config.ts"
import type { OpenOptions, TypeProgram } from "../tools/typescript/program.ts"

/** The checks of a project. After a change, TypeScript checks only the files that depend on it. */
export class KeptChecks extends KeptProgram {
  #virtual: ReadonlyMap<string, string> = new Map()

  /** Calls a function with a program of the project's current files. */
  ask<T>(options: OpenOptions, read: (program: TypeProgram) => T): Promise<T | Untyped> {
    return this.inTurn(async () => {
      const program = (await this.#updated(options)) ?? (await this.#opened(options))
      if ("untyped" in program) return program
      const answer = read(program)
      this.follow(program)
      // A program with other options than the project's own also opens a second one.
      if (!program.isWhole || !program.answers()) this.forget()
      return answer
    })
  }

  async #opened(options: OpenOptions): Promise<TypeProgram | Untyped> {
    this.forget()
    this.#virtual = options.virtual ?? new Map()
    return this.open(options)
  }

  async #updated(options: OpenOptions): Promise<TypeProgram | null> {
    const { program } = this
    const changes = program && this.changes()
    if (!program || !changes) return null
    const virtual = options.virtual ?? new Map<string, string>()
    const beside = changesOf(this.#virtual, virtual)
    const both = (kind: keyof typeof beside) => [
      ...changes[kind],
      ...beside[kind].map((file) => slashes(join(this.root, file))),
    ]
    const all = { changed: both("changed"), created: both("created"), deleted: both("deleted") }
    const touched = [...all.changed, ...all.created, ...all.deleted]
    if (touched.length === 0) return program
    const stale = this.files.dependents(touched)
    try {
      program.update(all, options, stale)
    } catch {
      return null
    }
    this.#virtual = virtual
    return program.isWhole ? program : null
  }
}

/** Returns the differences between files that are not on disk. */
function changesOf(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) {
  const names = [...now.keys()]
  return {
    created: names.filter((file) => !before.has(file)),
    changed: names.filter((file) => before.has(file) && before.get(file) !== now.get(file)),
    deleted: [...before.keys()].filter((file) => !now.has(file)),
  }
}
