/** The clock of this machine, and waiting by a clock. */
import type { JobClock } from "./engine.ts"

export const machineClock: JobClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, run) {
    // A longer wait ends early, because a timer has only 31 bits. Callers look at the clock again.
    const timer = setTimeout(run, Math.min(ms, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  },
}

/** Resolves after some milliseconds, or when the signal aborts. */
export function wait(clock: JobClock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      cancel()
      signal.removeEventListener("abort", end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    signal.addEventListener("abort", end, { once: true })
  })
}
