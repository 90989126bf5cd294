/** Counts of a rate limit in this process's memory, which is bounded. Made by `rate-limit.ts`. */
import type { RateLimitCount, RateLimitStore } from "./rate-limit.ts"

interface Window {
  count: number
  /** When it ends, in milliseconds of the clock. */
  readonly end: number
}

/** Needs no timer: what is over goes when something new comes. */
export class MemoryStore implements RateLimitStore {
  /** In the order of their beginning, which is that of their end: every window is equally long. */
  readonly #windows = new Map<string, Window>()
  readonly #maxKeys: number
  readonly #now: () => number

  /** @param now milliseconds of a clock that nobody sets back. */
  constructor(maxKeys: number, now: () => number = () => performance.now()) {
    this.#maxKeys = maxKeys
    this.#now = now
  }

  /** How many keys are held. */
  get size(): number {
    return this.#windows.size
  }

  hit(key: string, window: number): RateLimitCount {
    const now = this.#now()
    const running = this.#windows.get(key)
    const current = running && running.end > now ? running : this.#begin(key, now, now + window * 1000)
    current.count += 1
    // A sum of fractions and what it was added to may differ by a trace more.
    return { count: current.count, reset: Math.min(window, (current.end - now) / 1000) }
  }

  #begin(key: string, now: number, end: number): Window {
    this.#windows.delete(key)
    for (const [other, { end }] of this.#windows) {
      if (end > now && this.#windows.size < this.#maxKeys) break
      this.#windows.delete(other)
    }
    const begun = { count: 0, end }
    this.#windows.set(key, begun)
    return begun
  }
}
