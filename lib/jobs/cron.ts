/** Times of schedules. The library of cron expressions is loaded with the first one. */

/** The times of one schedule. */
export interface CronTimes {
  /** Returns the first time after another one, in milliseconds since 1970; null if there is none. */
  next(after: number): number | null
}

/**
 * Returns the times of a cron expression. In the night that skips an hour, a time within the hour is moved to its end; in
 * the night that repeats an hour, a time within the hour occurs once.
 *
 * @throws the error of the library for an expression or a zone that is not valid.
 */
export async function readCron(expression: string, timezone: string): Promise<CronTimes> {
  const { Cron } = await import("#vendor/cron")
  const cron = new Cron(expression, { timezone, paused: true })
  return { next: (after) => cron.nextRun(new Date(after))?.getTime() ?? null }
}

/** Returns what is wrong with an expression or its zone; undefined for nothing. */
export async function findCronProblem(expression: string, timezone: string): Promise<string | undefined> {
  try {
    const { next } = await readCron(expression, timezone)
    return next(Date.now()) === null ? "it has no time in the future" : undefined
  } catch (error) {
    return (error as Error).message
  }
}
