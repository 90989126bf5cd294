/**
 * The validators of calls under `fw dev`. They are read again after each change, when the new program runs or a
 * request needs them.
 */
import type { Problem } from "../../project/problems.ts"
import { findSourceFiles, findUntypedCall, toCallWarnings } from "../../validators/prepare-validators.ts"
import type { CallAnswer } from "../server/messages.ts"
import type { CallFacts } from "./facts-child.ts"
import type { FactsProcess } from "./facts-process.ts"

/** What {@link DevValidators} gets from `fw dev`. */
export interface ValidatorOptions {
  readonly root: string
  readonly facts: FactsProcess
  /** Receives the calls that are not checked, also if there are none. */
  readonly report: (problems: readonly Problem[]) => void
  /** Returns true if the current files cannot be built, so that an older program answers requests. */
  readonly isOld: () => boolean
}

/**
 * Stores the validators of the current files. A change makes them out of date; they are read again when they are
 * needed. A program that is older than the files keeps its own validators.
 */
export class DevValidators {
  readonly #options: ValidatorOptions
  #version = 0
  /** The validators of the current version, by file. */
  readonly #facts = new Map<string | undefined, Promise<CallFacts>>()

  constructor(options: ValidatorOptions) {
    this.#options = options
  }

  /** Called when a file with types has changed. */
  handleChange(): void {
    this.#version += 1
    this.#facts.clear()
  }

  /**
   * Reads the types before a request needs them, if the project has calls without a schema. The problems that are
   * found are reported separately.
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
   * @param known the version that the server process has. If it is the current one, no second copy is sent.
   */
  async answer(file: string, known: number): Promise<CallAnswer> {
    if (known >= 0 && this.#options.isOld()) return { version: known, facts: null }
    for (;;) {
      const version = this.#version
      if (version === known) return { version, facts: null }
      const facts = await this.#readFacts(file)
      // Otherwise a file changed while the types were read, so they are read again.
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
      const wasOld = isOld()
      const facts = await process.ask("calls", { file, isOld: wasOld })
      const isCurrent = version === this.#version
      if (isCurrent && !wasOld) report("untyped" in facts ? [] : toCallWarnings(root, facts.problems))
      return facts
    } catch (error) {
      // The next request asks again.
      if (version === this.#version) this.#facts.delete(file)
      const fix = "Send the request again. If it happens again, there may be too little memory."
      return { untyped: error instanceof Error ? error.message : String(error), fix }
    }
  }
}
