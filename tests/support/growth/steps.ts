/**
 * Counts the steps of a function, because a count is the same on every machine and under every load, which a time is not.
 * V8 counts the blocks of JavaScript that run, and the bytes that are allocated, which a text takes that is joined, or an
 * array or an object that is copied. `natives.ts` counts what built-in functions read.
 *
 * Not counted: a comparison of two long texts that are equal or almost, and memory outside of V8's heap, unless a
 * built-in function of `natives.ts` fills it.
 */
import { type Profiler, Session } from "node:inspector"
import { setImmediate } from "node:timers/promises"
import { GCProfiler, getHeapStatistics, setFlagsFromString } from "node:v8"
import { countNatives, type NativeWork } from "./natives.ts"

/** The steps of a run. */
export interface Steps {
  /** Blocks of JavaScript: of functions, loops and branches, those of Node's own modules too. */
  readonly blocks: number
  /** Bytes allocated on V8's heap, among them some kilobytes for V8 itself. */
  readonly bytes: number
  /** Characters, bytes and elements that built-in functions and regular expressions read or wrote. */
  readonly characters: number
}

const folder = new URL("./", import.meta.url).href

let session: Session | undefined

/** Calls V8's profiler, which answers at once. */
function ask<T>(method: string, parameters: object = {}): T {
  if (!session) {
    // V8 does not count the calls of a function that it has compiled into another one.
    for (const flag of ["--no-opt", "--no-maglev"]) setFlagsFromString(flag)
    session = new Session()
    session.connect()
    ask("Profiler.enable")
    ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true })
  }
  let answer: unknown
  session.post(method, parameters, (error, result) => {
    if (error) throw error
    answer = result
  })
  return answer as T
}

/** Runs a function and counts its steps. Two functions cannot be counted at the same time. */
export async function countSteps(run: () => unknown): Promise<Steps & Pick<NativeWork, "expressions">> {
  // What began before, such as the output of the last test, does not count.
  await setImmediate()
  blocksRun()
  const allocation = new Allocation()
  const { characters, expressions } = await countNatives(run)
  const bytes = allocation.end()
  const blocks = blocksRun()
  return { blocks, bytes, characters, expressions }
}

/** The blocks that ran since this was asked last, without those of the files that count, `steps.ts` and its neighbours. */
function blocksRun(): number {
  const { result } = ask<Profiler.TakePreciseCoverageReturnType>("Profiler.takePreciseCoverage")
  return result
    .filter(({ url }) => !url.startsWith(folder))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}

/** Counts the bytes that are allocated: how much more are in use, and how many were collected meanwhile. */
class Allocation {
  readonly #collections = new GCProfiler()
  readonly #begin: number

  constructor() {
    this.#collections.start()
    this.#begin = getHeapStatistics().used_heap_size
  }

  end(): number {
    const end = getHeapStatistics().used_heap_size
    return this.#collections
      .stop()
      .statistics.reduce(
        (sum, { beforeGC, afterGC }) =>
          sum + beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
        end - this.#begin,
      )
  }
}
