/** Waits for a condition. */

/** The longest time to wait, in milliseconds. It is long, because the machine may be busy. */
const maxWaitMs = 60_000

/** Checks a condition repeatedly until it is true. Fails after {@link maxWaitMs} and names the condition. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + maxWaitMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`this did not become true: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
