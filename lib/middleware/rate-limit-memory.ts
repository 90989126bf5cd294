/** Stores the counts of a rate limit in the memory of this process, up to a maximum. */
import type { RateLimitCount, RateLimitStore } from "./rate-limit.ts"

interface CountWindow {
  count: number
  /** End of the window, in milliseconds of the clock. */
  readonly end: number
}

/**
 * Counts requests by key, for a limited number of keys. It needs no timer: windows that are over are removed when a new
 * one begins. When it is full, keys that have used up their limit are dropped last. Otherwise a client could send
 * requests under other keys until its own count is dropped.
 */
export class RateLimitMemory implements RateLimitStore {
  /** All windows in the order of their beginning. All have the same length, so this is also the order of their end. */
  readonly #windows = new Map<string, CountWindow>()
  /** The windows whose limit is not used up, in the same order. */
  readonly #openWindows = new Map<string, CountWindow>()
  readonly #maxKeys: number
  readonly #limit: number
  readonly #now: () => number

  /**
   * Creates a store.
   *
   * @param maxKeys the maximum number of keys to store.
   * @param limit the number of requests after which a key counts as used up.
   * @param now returns milliseconds of a clock that never goes back.
   */
  constructor(maxKeys: number, limit: number, now: () => number = () => performance.now()) {
    this.#maxKeys = maxKeys
    this.#limit = limit
    this.#now = now
  }

  /** The number of stored keys. */
  get size(): number {
    return this.#windows.size
  }

  hit(key: string, window: number): RateLimitCount {
    const now = this.#now()
    const storedWindow = this.#windows.get(key)
    const currentWindow =
      storedWindow && storedWindow.end > now ? storedWindow : this.#startWindow(key, now, now + window * 1000)
    currentWindow.count += 1
    if (currentWindow.count === this.#limit) this.#openWindows.delete(key)
    // Because of rounding, the difference may be slightly larger than the window.
    return { count: currentWindow.count, reset: Math.min(window, (currentWindow.end - now) / 1000) }
  }

  #startWindow(key: string, now: number, end: number): CountWindow {
    this.#remove(key)
    for (const [other, window] of this.#windows) {
      if (window.end > now) break
      this.#remove(other)
    }
    if (this.size >= this.#maxKeys) {
      const candidates = this.#openWindows.size > 0 ? this.#openWindows : this.#windows
      this.#remove(candidates.keys().next().value as string)
    }
    const newWindow = { count: 0, end }
    this.#windows.set(key, newWindow)
    this.#openWindows.set(key, newWindow)
    return newWindow
  }

  #remove(key: string): void {
    this.#windows.delete(key)
    this.#openWindows.delete(key)
  }
}
