/** Sorts text in the same way on every machine, whatever its language settings. */

/** Compares two texts by code unit, as `sort()` does without an argument. */
export function compareByCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the entries of a map or an object, sorted by name. */
export function sortEntries<Value>(entries: Iterable<readonly [string, Value]>): [string, Value][] {
  return [...entries].map(([name, value]): [string, Value] => [name, value]).sort(([a], [b]) => compareByCodeUnit(a, b))
}
