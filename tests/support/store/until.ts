/** Waits for a condition. */

/** Checks a condition repeatedly until it is true. If it never is, the test runner's limit ends the test. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}
