/** Checks numbers of seconds that a timer can wait. */

/** Longest time that a timer can wait (HTML standard, "timers": milliseconds in 32 bits). */
export const maxTimerSeconds = 2_147_483

/** Returns true for a number of seconds that a timer can wait, including 0. */
export function isDelay(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= maxTimerSeconds
}
