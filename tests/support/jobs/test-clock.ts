/** A clock for tests of jobs, in which time passes only when a test says so. */
import type { JobClock } from "../../../lib/jobs/engine.ts"

interface Wait {
  readonly at: number
  readonly end: () => void
}

/** Lets everything continue that does not wait for time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

/** The clock of a process. */
export class TestClock implements JobClock {
  #now: number
  #elapsed = 0
  readonly #waits = new Set<Wait>()

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#elapsed
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const wait: Wait = {
        at: this.#elapsed + ms,
        end: () => {
          this.#waits.delete(wait)
          signal.removeEventListener("abort", wait.end)
          resolve()
        },
      }
      this.#waits.add(wait)
      signal.addEventListener("abort", wait.end, { once: true })
    })
  }

  /** Lets time pass. Timers fire at their time. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsed + ms
    await settle()
    for (;;) {
      const next = [...this.#waits].sort((a, b) => a.at - b.at)[0]
      if (!next || next.at > until) break
      this.#pass(next.at - this.#elapsed)
      next.end()
      await settle()
    }
    this.#pass(until - this.#elapsed)
  }

  /** Changes the machine's clock without letting time pass. */
  jump(ms: number): void {
    this.#now += ms
  }

  #pass(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
  }
}
