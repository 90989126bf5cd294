/** Numbers of seconds that a timer can wait for. */

/** Longest time of a timer, in seconds (HTML standard, "timers": 32 bits of milliseconds). */
export const maxTimerSeconds = 2_147_483

/** Returns true for a number of seconds, 0 or more, for which a timer can wait. */
export function isDelay(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= maxTimerSeconds
}
