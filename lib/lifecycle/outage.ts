/** Reports failures of something that a program depends on: only the first one of an outage, and not one for each request. */
import { platform } from "#platform"

/** The state of something that may fail. */
export class Outage {
  #isFailing = false

  /** Reports an error, unless the one before was an error too. */
  reportFailure(error: unknown): void {
    if (!this.#isFailing) platform.report(error)
    this.#isFailing = true
  }

  /** Ends the outage. */
  end(): void {
    this.#isFailing = false
  }
}
