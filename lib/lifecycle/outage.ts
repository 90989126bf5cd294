/** Reports the failures of something that a program depends on, once per outage and not once per request. */
import { platform } from "#platform"

/** An outage that may be going on. */
export class Outage {
  #isFailing = false

  /** Reports an error, unless an outage is already going on. */
  reportFailure(error: unknown): void {
    if (!this.#isFailing) platform.report(error)
    this.#isFailing = true
  }

  /** Ends the outage. The next error is reported again. */
  end(): void {
    this.#isFailing = false
  }
}
