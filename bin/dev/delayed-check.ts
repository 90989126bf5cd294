/** A check of the project that `fw dev` runs in the background, after a change and its rebuild. */
import type { Problem } from "../project/problems.ts"

/** Pause before a check, in milliseconds, so that the rebuild and the first requests to the new program go first. */
const delayMs = 100

/**
 * Returns what a check found.
 *
 * @param signal ends the check when a newer change makes its result out of date.
 */
export type Check = (signal: AbortSignal) => Promise<readonly Problem[]>

/** Runs a check after changes, one run at a time. A newer change ends the previous run. */
export class DelayedCheck {
  readonly #subject: string
  readonly #check: Check
  readonly #report: (problems: readonly Problem[]) => void
  #timer: NodeJS.Timeout | undefined
  #running: AbortController | undefined
  #done: Promise<void> = Promise.resolve()

  /**
   * Creates it.
   *
   * @param subject what is checked, for the message if the check itself fails: "the types were not checked".
   * @param report receives the result of each check, also if it is empty.
   */
  constructor(subject: string, check: Check, report: (problems: readonly Problem[]) => void) {
    this.#subject = subject
    this.#check = check
    this.#report = report
  }

  /** Handles a change after its rebuild. */
  schedule(): void {
    this.stop()
    this.#timer = setTimeout(() => {
      this.#running = new AbortController()
      this.#done = this.#run(this.#running.signal)
    }, delayMs)
  }

  /**
   * Stops a check that runs or waits. Called when a change begins: the result would be out of date, and the rebuild
   * needs the processor.
   */
  stop(): void {
    clearTimeout(this.#timer)
    this.#running?.abort()
  }

  /** Stops all checks; resolves when none of them, and none of their processes, is running any more. */
  async close(): Promise<void> {
    this.stop()
    await this.#done
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      const problems = await this.#check(signal)
      if (!signal.aborted) this.#report(problems)
    } catch (error) {
      // A file may disappear while it is read; then the next change checks again.
      if (!signal.aborted) this.#report([{ message: `${this.#subject} not checked: ${String(error)}` }])
    }
  }
}
