/** Calls that only read, one after the other: equal ones that wait are answered together. Used by the server. */

/** A queue in which equal work is done once. */
export class Turns {
  readonly #waiting = new Map<string, Promise<unknown>>()
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Does some work when its turn comes. Work under the same key that has not begun yet is shared: what has begun may
   * have missed what the caller did before.
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.#waiting.get(key)
    if (known) return known as Promise<T>
    const begin = () => {
      this.#waiting.delete(key)
      return work()
    }
    const done = this.#last.then(begin, begin)
    this.#waiting.set(key, done)
    this.#last = done
    return done
  }
}
