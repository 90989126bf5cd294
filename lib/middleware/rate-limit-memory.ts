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
  /** Sorted by their beginning and so by their end, because every window has the same length. */
  readonly #windows = new Map<string, Window>()
  /** Windows whose limit is used up, in the order in which that happened. */
  readonly #spent = new Map<string, Window>()
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
    return this.#windows.size + this.#spent.size
  }

  hit(key: string, window: number): RateLimitCount {
    const now = this.#now()
    const running = this.#windows.get(key) ?? this.#spent.get(key)
    const current = running && running.end > now ? running : this.#begin(key, now, now + window * 1000)
    current.count += 1
    if (current.count === this.#limit) {
      this.#windows.delete(key)
      this.#spent.set(key, current)
    }
    // A sum of fractions may be slightly larger than exact arithmetic gives.
    return { count: current.count, reset: Math.min(window, (current.end - now) / 1000) }
  }

  #begin(key: string, now: number, end: number): Window {
    this.#windows.delete(key)
    this.#spent.delete(key)
    removeOver(this.#windows, now)
    removeOver(this.#spent, now)
    if (this.size >= this.#maxKeys) {
      const from = this.#windows.size > 0 ? this.#windows : this.#spent
      from.delete(from.keys().next().value as string)
    }
    const begun = { count: 0, end }
    this.#windows.set(key, begun)
    return begun
  }
}

/** Removes windows that are over from the front. */
function removeOver(windows: Map<string, Window>, now: number): void {
  for (const [key, { end }] of windows) {
    if (end > now) return
    windows.delete(key)
  }
}
