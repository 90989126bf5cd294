/** The report of bugs where there is a console alone. Called by the workers, and by runtimes that nothing else fits. */

/** A console shows an error with its stack and its causes. */
export function report(bug: unknown): void {
  console.error(bug)
}
