/** Runs a check of the project in the background of `fw dev`, after a change and its rebuild. */
import type { Problem } from "../project/problems.ts"

/** Time before a check, in milliseconds. The rebuild and the first requests to the new program come first. */
const delayMs = 100

/**
 * Returns the problems that a check found.
 *
 * @param signal stops the check when a newer change makes its result out of date.
 */
export type Check = (signal: AbortSignal) => Promise<readonly Problem[]>

/** Runs a check after changes. Only one run is active, and a newer change stops it. */
export class DelayedCheck {
  readonly #subject: string
  readonly #check: Check
  readonly #report: (problems: readonly Problem[]) => void
  #timer: NodeJS.Timeout | undefined
  #abortController: AbortController | undefined
  #lastRun: Promise<void> = Promise.resolve()

  /**
   * Creates the check.
   *
   * @param subject the start of the message if the check itself fails: "the types were".
   * @param report receives the result of each run, also if it is empty.
   */
  constructor(subject: string, check: Check, report: (problems: readonly Problem[]) => void) {
    this.#subject = subject
    this.#check = check
    this.#report = report
  }

  /** Called after the rebuild that follows a change. */
  schedule(): void {
    this.stop()
    this.#timer = setTimeout(() => {
      this.#abortController = new AbortController()
      this.#lastRun = this.#run(this.#abortController.signal)
    }, delayMs)
  }

  /**
   * Stops a check that is running or waiting. Called when a change begins: the result would be out of date, and the
   * rebuild needs the processor.
   */
  stop(): void {
    clearTimeout(this.#timer)
    this.#abortController?.abort()
  }

  /** Stops the check. Resolves when neither it nor a process of it is running. */
  async close(): Promise<void> {
    this.stop()
    await this.#lastRun
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      const problems = await this.#check(signal)
      if (!signal.aborted) this.#report(problems)
    } catch (error) {
      // A file may disappear while it is read. The next change checks again.
      if (!signal.aborted) this.#report([{ message: `${this.#subject} not checked: ${String(error)}` }])
    }
  }
}
