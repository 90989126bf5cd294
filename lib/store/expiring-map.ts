/** A map in memory whose values expire. */

/** Minimum number of writes between two sweeps, which remove expired values. */
const minWritesBetweenSweeps = 1_000

/** A map whose values expire. It needs no timer: expired values are removed from time to time when others are set. */
export class ExpiringMap<Value> {
  readonly #values = new Map<string, { readonly value: Value; readonly end: number }>()
  #writes = 0

  /** Returns a value; undefined if there is none, or it has expired. */
  get(key: string): Value | undefined {
    const entry = this.#values.get(key)
    return entry && entry.end > performance.now() ? entry.value : undefined
  }

  /** Returns the milliseconds until a value expires. */
  getRemainingMs(key: string): number {
    return Math.max(0, (this.#values.get(key)?.end ?? 0) - performance.now())
  }

  /** Stores a value. @param ttl milliseconds; undefined for a value that does not expire. */
  set(key: string, value: Value, ttl: number | undefined): void {
    this.#values.set(key, {
      value,
      end: ttl === undefined ? Number.POSITIVE_INFINITY : performance.now() + ttl,
    })
    // A sweep needs time for every value. With at least as many writes between two sweeps, the mean time of a write
    // stays constant.
    if (++this.#writes >= Math.max(minWritesBetweenSweeps, this.#values.size)) this.#sweep()
  }

  /** Deletes a value. Returns true if there was one that had not expired. */
  delete(key: string): boolean {
    const isThere = this.get(key) !== undefined
    this.#values.delete(key)
    return isThere
  }

  /** The number of values in memory, including expired ones that no sweep has removed yet. */
  get size(): number {
    return this.#values.size
  }

  #sweep(): void {
    this.#writes = 0
    const now = performance.now()
    for (const [key, { end }] of this.#values) if (end <= now) this.#values.delete(key)
  }
}
