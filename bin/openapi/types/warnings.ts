/** Collects warnings about a project's source while it is read. */

import type { Node, TypeProgram } from "../../tools/typescript/program.ts"
import type { SourceLocation, Warning } from "../document/model.ts"

/** Collects warnings. Each message is reported once per position. */
export class Warnings {
  readonly program: TypeProgram
  readonly #warnings = new Map<string, Warning>()

  constructor(program: TypeProgram) {
    this.program = program
  }

  /** The warnings so far. */
  protected get currentWarnings(): Iterable<Warning> {
    return this.#warnings.values()
  }

  readonly warn = (node: Node, message: string, fix: string): void => {
    const at = this.program.findPlace(node)
    this.#warnings.set(`${at.file}:${at.line}:${message}`, { message, fix, at })
  }

  /** Calls a function. If it throws, the error becomes a warning, and reading continues. */
  readOrWarn<T>(at: SourceLocation, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      const message = `TypeScript could not determine the types here: ${(error as Error).message}`
      const fix = "Run tsc --noEmit. If that finds no errors, this is a bug in fw: please report it."
      this.#warnings.set(`${at.file}:${at.line}`, { message, fix, at })
      return undefined
    }
  }

  /** Calls a function and drops the warnings that it causes. */
  readQuietly<T>(read: () => T): T {
    const known = new Set(this.#warnings.keys())
    const result = read()
    for (const key of this.#warnings.keys()) if (!known.has(key)) this.#warnings.delete(key)
    return result
  }
}
