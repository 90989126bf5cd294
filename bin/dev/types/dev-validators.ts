/** The validators of calls under `fw dev`: read after each change, when the new program runs or a request needs them. */
import type { Problem } from "../../project/problems.ts"
import { findSourceFiles, findUntypedCall, toCallWarnings } from "../../validators/prepare-validators.ts"
import type { CallAnswer } from "../server/messages.ts"
import type { CallFacts } from "./facts-child.ts"
import type { FactsProcess } from "./facts-process.ts"

/** Parts of a session that the validators use. */
export interface ValidatorOptions {
  readonly root: string
  readonly facts: FactsProcess
  /** Receives the calls that are not checked, also if there are none. */
  readonly report: (problems: readonly Problem[]) => void
  /** Returns true while the current files do not make a program, so that an older program answers requests. */
  readonly isOld: () => boolean
}

/**
 * The state of the validators. A change makes them out of date at once; they are read again when they are needed. A
 * program that is older than the files keeps its own validators.
 */
export class DevValidators {
  readonly #options: ValidatorOptions
  #version = 0
  /** The answers for the current version, by file. */
  readonly #facts = new Map<string | undefined, Promise<CallFacts>>()

  constructor(options: ValidatorOptions) {
    this.#options = options
  }

  /** Handles a change of a file with types. */
  handleChange(): void {
    this.#version += 1
    this.#facts.clear()
  }

  /**
   * Reads the types before a request needs them, if the project has calls without a schema. What it finds there is
   * reported separately.
   */
  async prepare(signal: AbortSignal): Promise<readonly Problem[]> {
    const { root } = this.#options
    const files = await findSourceFiles(root)
    if (!signal.aborted && findUntypedCall(root, files) !== undefined) await this.#readFacts(undefined)
    return []
  }

  /**
   * Returns the validators of a file.
   *
   * @param known the version that the asking process has. If it is the current one, the process gets no second copy.
   */
  async answer(file: string, known: number): Promise<CallAnswer> {
    if (known >= 0 && this.#options.isOld()) return { version: known, facts: null }
    for (;;) {
      const version = this.#version
      if (version === known) return { version, facts: null }
      const facts = await this.#readFacts(file)
      // A file changed while the types were read.
      if (version === this.#version) return { version, facts }
    }
  }

  #readFacts(file: string | undefined): Promise<CallFacts> {
    const facts = this.#facts.get(file) ?? this.#askForFacts(file, this.#version)
    this.#facts.set(file, facts)
    return facts
  }

  async #askForFacts(file: string | undefined, version: number): Promise<CallFacts> {
    const { root, facts: process, report, isOld } = this.#options
    try {
      const old = isOld()
      const facts = await process.ask("calls", { file, isOld: old })
      const isCurrent = version === this.#version
      if (isCurrent && !old) report("untyped" in facts ? [] : toCallWarnings(root, facts.problems))
      return facts
    } catch (error) {
      // The next request will ask again.
      if (version === this.#version) this.#facts.delete(file)
      const fix = "Send the request again. If it happens again, there may be too little memory."
      return { untyped: error instanceof Error ? error.message : String(error), fix }
    }
  }
}
