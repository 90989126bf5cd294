/** The part of the context that stores values for one request. */

/** Values of one request, by name. */
export class ContextStore {
  #values: Map<string, unknown> | undefined

  /** @internal The app creates contexts. */
  protected constructor(values: Map<string, unknown> | undefined) {
    this.#values = values
  }

  /** Stores a value for the rest of this request. @example c.set("user_id", "ada") */
  set(key: string, value: unknown): void {
    this.#values ??= new Map()
    this.#values.set(key, value)
  }

  /** A value stored with {@link set}, typed as `T`. @example c.get<string[]>("roles") // → undefined */
  get<T = unknown>(key: string): T | undefined {
    return this.#values?.get(key) as T | undefined
  }

  /** A stored string; `""` if missing or not a string. @example c.getString("user_id") // → "" */
  getString(key: string): string {
    const value = this.get(key)
    return typeof value === "string" ? value : ""
  }

  /** A stored integer; 0 if missing or not an integer. @example c.getInt("count") // → 0 */
  getInt(key: string): number {
    const value = this.get(key)
    return Number.isInteger(value) ? (value as number) : 0
  }

  /** A stored boolean; false if missing or not a boolean. @example c.getBool("is_admin") // → false */
  getBool(key: string): boolean {
    return this.get(key) === true
  }
}
