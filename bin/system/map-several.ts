/** Works on several items at the same time. */

/**
 * Runs a function for each item, for up to `maxAtOnce` items at the same time.
 *
 * @returns the results in the order of the items.
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
