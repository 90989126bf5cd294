/** The counts of a rate limit in this process's memory, which is bounded. */
import type { RateLimitCount, RateLimitStore } from "./rate-limit.ts"

interface Window {
  count: number
  /** End of the window, in milliseconds of the clock. */
  readonly end: number
}

/**
 * A bounded store of counts. It needs no timer, because windows that are over are removed when a new one
 * begins. When it is full, clients that have used up their limit are dropped last: otherwise a client could
 * send requests under other keys until its own count is dropped.
 */
export class MemoryStore implements RateLimitStore {
  /** All windows, sorted by their beginning and so by their end, because every window has the same length. */
  readonly #windows = new Map<string, Window>()
  /** Those whose limit is not used up, in the same order. */
  readonly #open = new Map<string, Window>()
  readonly #maxKeys: number
  readonly #limit: number
  readonly #now: () => number

  /**
   * Creates a store.
   *
   * @param maxKeys most keys to store.
   * @param limit requests after which a key is dropped last.
   * @param now milliseconds of a clock that never goes back.
   */
  constructor(maxKeys: number, limit: number, now: () => number = () => performance.now()) {
    this.#maxKeys = maxKeys
    this.#limit = limit
    this.#now = now
  }

  /** Number of stored keys. */
  get size(): number {
    return this.#windows.size
  }

  hit(key: string, window: number): RateLimitCount {
    const now = this.#now()
    const running = this.#windows.get(key)
    const current = running && running.end > now ? running : this.#begin(key, now, now + window * 1000)
    current.count += 1
    if (current.count === this.#limit) this.#open.delete(key)
    // A sum of fractions may be slightly larger than exact arithmetic gives.
    return { count: current.count, reset: Math.min(window, (current.end - now) / 1000) }
  }

  #begin(key: string, now: number, end: number): Window {
    this.#remove(key)
    for (const [other, window] of this.#windows) {
      if (window.end > now) break
      this.#remove(other)
    }
    if (this.size >= this.#maxKeys) {
      const from = this.#open.size > 0 ? this.#open : this.#windows
      this.#remove(from.keys().next().value as string)
    }
    const begun = { count: 0, end }
    this.#windows.set(key, begun)
    this.#open.set(key, begun)
    return begun
  }

  #remove(key: string): void {
    this.#windows.delete(key)
    this.#open.delete(key)
  }
}
