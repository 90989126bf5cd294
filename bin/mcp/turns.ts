/** A queue for calls that only read: equal calls that wait are run once and share the result. */

/** A queue in which equal work is done once. */
export class Turns {
  readonly #waiting = new Map<string, Promise<unknown>>()
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Runs work when its turn comes. Work with the same key is shared if it has not begun; work that has begun
   * may have missed the caller's last change.
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
