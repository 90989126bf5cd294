/** Computes the times of schedules. The library for cron expressions is loaded with the first schedule. */

/** Returns the times of a schedule after another time, in milliseconds since 1970. */
export type ScheduleTimes = (after: number) => Iterable<number>

/**
 * Reads a cron expression. When clocks go forward, a time in the hour that is skipped moves to the end of that hour. When
 * clocks go back, a time in the hour that is repeated occurs once.
 *
 * @throws RangeError for an expression without a time in the future, and the error of the library for an expression or a
 * time zone that is not valid.
 */
export async function readCron(expression: string, timezone: string): Promise<ScheduleTimes> {
  const { Cron } = await import("#vendor/cron")
  const cron = new Cron(expression, { timezone, paused: true })
  if (cron.nextRun() === null) throw new RangeError("it has no time in the future")
  return function* times(after) {
    for (let time = cron.nextRun(new Date(after)); time; time = cron.nextRun(time)) yield time.getTime()
  }
}
