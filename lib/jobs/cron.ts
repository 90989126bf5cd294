/** Computes the times of schedules. The library for cron expressions is loaded with the first schedule. */

/** The times of one schedule. */
export interface CronTimes {
  /** Returns the first time after another one, in milliseconds since 1970; null if there is none. */
  next(after: number): number | null
}

/**
 * Returns the times of a cron expression. When clocks go forward, a time in the hour that is skipped moves to the end
 * of that hour. When clocks go back, a time in the hour that is repeated occurs once.
 *
 * @throws the error of the library for an expression or a time zone that is not valid.
 */
export async function readCron(expression: string, timezone: string): Promise<CronTimes> {
  const { Cron } = await import("#vendor/cron")
  const cron = new Cron(expression, { timezone, paused: true })
  return { next: (after) => cron.nextRun(new Date(after))?.getTime() ?? null }
}

/** Returns what is wrong with an expression or its time zone; undefined if both are valid. */
export async function findCronProblem(expression: string, timezone: string): Promise<string | undefined> {
  try {
    const { next } = await readCron(expression, timezone)
    return next(Date.now()) === null ? "it has no time in the future" : undefined
  } catch (error) {
    return (error as Error).message
  }
}
