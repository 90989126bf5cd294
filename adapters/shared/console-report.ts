/** Reports bugs on runtimes that have only a console. */

/** Prints an error. A console shows its stack and its causes. */
export function reportToConsole(bug: unknown): void {
  console.error(bug)
}
