/** Waits for a condition. */

/** Asks again and again until a condition holds. A test that waits without end is ended by the runner. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5))
}
