/** `c.span()`, which measures a step of a handler. */
import { misuse } from "../errors/fault.ts"
import { channels } from "./operations.ts"

/** The times of spans for `serverTiming()`, by name. */
export type SpanTimes = Map<string, number>

/** The key of the times in the context. It is set if `serverTiming()` is used. */
export const spanTimesKey = "server_timing"

/** Runs a function for `c.span()`. @param times set if `serverTiming()` needs the time. */
export function runSpan<Result>(c: object, times: SpanTimes | undefined, name: string, run: () => Result): Result {
  if (typeof name !== "string" || name === "") throw misuse("span.name", name)
  if (typeof run !== "function") throw misuse("span.run", run)
  if (times) return runTimed(times, c, name, run)
  return channels.span.isWatched ? channels.span.run(name, run, c) : run()
}

/** Runs a function and adds its time, even if it fails. */
function runTimed<Result>(times: SpanTimes, c: object, name: string, run: () => Result): Result {
  const start = performance.now()
  const end = () => void times.set(name, (times.get(name) ?? 0) + performance.now() - start)
  let isPending = false
  try {
    const result = runSpan(c, undefined, name, run)
    if (!(result instanceof Promise)) return result
    isPending = true
    return result.finally(end) as Result
  } finally {
    if (!isPending) end()
  }
}
