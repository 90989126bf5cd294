/** Values that end at a time, in memory. */

/** Minimum number of writes between two searches for values that have ended. */
const minWritesBetweenSweeps = 1_000

/** A map whose values end. It needs no timer: values that have ended are removed now and then when others are set. */
export class ExpiringMap<Value> {
  readonly #values = new Map<string, { readonly value: Value; readonly end: number }>()
  #writes = 0

  /** Returns a value; undefined if there is none, or it has ended. */
  get(key: string): Value | undefined {
    const found = this.#values.get(key)
    return found && found.end > performance.now() ? found.value : undefined
  }

  /** Returns the milliseconds until a value ends. */
  getRemainingMs(key: string): number {
    return Math.max(0, (this.#values.get(key)?.end ?? 0) - performance.now())
  }

  /** Stores a value. @param ttl milliseconds; undefined: it does not end. */
  set(key: string, value: Value, ttl: number | undefined): void {
    this.#values.set(key, {
      value,
      end: ttl === undefined ? Number.POSITIVE_INFINITY : performance.now() + ttl,
    })
    // A sweep comes after as many writes as there are values. So the mean cost of a write does not grow with their number.
    if (++this.#writes >= Math.max(minWritesBetweenSweeps, this.#values.size)) this.#sweep()
  }

  /** Deletes a value. Returns true if there was one that had not ended. */
  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined
    this.#values.delete(key)
    return isThere
  }

  /** The number of values in memory, including those that have ended but are still there. */
  get size(): number {
    return this.#values.size
  }

  #sweep(): void {
    this.#writes = 0
    const now = performance.now()
    for (const [key, { end }] of this.#values) if (end <= now) this.#values.delete(key)
  }
}
