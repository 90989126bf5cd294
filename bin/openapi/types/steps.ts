/** Work in steps, each of which asks TypeScript many questions at once and continues with the answers. */
import type { TypeProgram } from "../../tools/typescript/program.ts"

/** Yields questions: functions that know their answers when it continues. */
export type Steps<Result> = Generator<readonly (() => unknown)[], Result, void>

/** A part of the work that waits for answers. */
interface Running {
  readonly steps: Steps<void>
  readonly part: number
  readonly answered: () => void
}

/** Number of parts that are asked about at the same time. */
const partsAtOnce = 3

/** Runs work to its end. */
export function finish<Result>(steps: Steps<Result>, { ahead }: TypeProgram): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    ahead(value)
  }
}

/**
 * Work in several parts, of which some are always asked about: TypeScript finds the answers for one part while this process
 * reads those for another, or uses a part that is finished.
 */
export class PartsAhead {
  readonly #program: TypeProgram
  readonly #parts: readonly (() => Steps<void>)[]
  readonly #running: Running[] = []
  readonly #finished = new Set<number>()
  #started = 0

  constructor(program: TypeProgram, parts: readonly (() => Steps<void>)[]) {
    this.#program = program
    this.#parts = parts
  }

  /** Waits until a part is finished, or until TypeScript's process has ended. */
  finish(part: number): void {
    try {
      this.#start()
      while (!this.#finished.has(part)) {
        const next = this.#running.shift()
        if (!next) return
        next.answered()
        this.#continue(next)
        this.#start()
      }
    } catch {
      // A function that needs an answer asks again, and gets the error.
    }
  }

  #start(): void {
    while (this.#running.length < partsAtOnce) {
      const make = this.#parts[this.#started]
      if (!make) return
      this.#continue({ steps: make(), part: this.#started++ })
    }
  }

  #continue({ steps, part }: Pick<Running, "steps" | "part">): void {
    const { done, value } = steps.next()
    if (done) this.#finished.add(part)
    else this.#running.push({ steps, part, answered: this.#program.post(value) })
  }
}
