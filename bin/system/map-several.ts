/** Work on several items at once. */

/**
 * Runs a function for each item, for at most `maxAtOnce` of them at a time.
 *
 * @returns the results, in the order of the items.
 * @throws the first error of the function.
 */
export async function mapSeveral<Item, Result>(
  items: readonly Item[],
  maxAtOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const entries = items.entries()
  const work = async () => {
    for (const [at, item] of entries) results[at] = await run(item)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, work))
  return results
}
