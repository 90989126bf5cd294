/** A clock for tests of jobs, in which time passes only when a test says so. */
import type { JobClock } from "../../../lib/jobs/engine.ts"

interface Timer {
  readonly at: number
  readonly run: () => void
}

/** Lets everything continue that does not wait for time. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}

/** The clock of a process. */
export class TestClock implements JobClock {
  #now: number
  #elapsed = 0
  readonly #timers = new Set<Timer>()

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#elapsed
  }

  after(ms: number, run: () => void): () => void {
    const timer: Timer = { at: this.#elapsed + ms, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  /** Lets time pass. Timers fire at their time. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsed + ms
    await settle()
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0]
      if (!next || next.at > until) break
      this.#pass(next.at - this.#elapsed)
      this.#timers.delete(next)
      next.run()
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
