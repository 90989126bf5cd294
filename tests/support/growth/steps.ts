/**
 * Counts the steps of a function, because unlike a time, a count is the same on every machine and under every load.
 * V8 counts the executed blocks of JavaScript, and the allocated bytes, such as those of a joined text or a copied
 * array. `natives.ts` counts what built-in functions read.
 *
 * Two things are not counted: comparisons of two long texts that are almost equal, and memory outside of V8's heap,
 * unless a built-in function of `natives.ts` fills it.
 */
import { type Profiler, Session } from "node:inspector"
import { setImmediate } from "node:timers/promises"
import { GCProfiler, getHeapStatistics, setFlagsFromString } from "node:v8"
import { countNatives, type NativeWork } from "./natives.ts"

/** The steps of a run. */
export interface Steps {
  /** Executed blocks of JavaScript: functions, loops and branches, also in Node's own modules. */
  readonly blocks: number
  /** Bytes allocated on V8's heap, including some kilobytes for V8 itself. */
  readonly bytes: number
  /** Characters, bytes and elements that built-in functions and regular expressions read or wrote. */
  readonly characters: number
}

const folder = new URL("./", import.meta.url).href

let session: Session | undefined

/** Calls V8's profiler, which answers synchronously. */
function ask<T>(method: string, parameters: object = {}): T {
  if (!session) {
    // V8 does not count the calls of a function that it has inlined into another one.
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
  // Earlier work, such as the output of the last test, must not count.
  await setImmediate()
  blocksRun()
  const allocation = new Allocation()
  const { characters, expressions } = await countNatives(run)
  const bytes = allocation.end()
  const blocks = blocksRun()
  return { blocks, bytes, characters, expressions }
}

/**
 * Returns the number of blocks that ran since the last call, without those of the files that count, `steps.ts` and
 * its neighbours.
 */
function blocksRun(): number {
  const { result } = ask<Profiler.TakePreciseCoverageReturnType>("Profiler.takePreciseCoverage")
  return result
    .filter(({ url }) => !url.startsWith(folder))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0)
}

/** Counts the allocated bytes: the increase of the used memory, and the memory that was freed meanwhile. */
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
