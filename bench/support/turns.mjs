/** Measures functions against each other in one process. */

/** @param {readonly number[]} numbers */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]

/** The processor time of this process, in microseconds. */
export function processorTime() {
  const { user, system } = process.cpuUsage()
  return user + system
}

/**
 * Returns the microseconds of processor time per call, of each function and in each round. Every round begins with another
 * function, because the one after a heavy allocator pays for its garbage.
 *
 * @param {readonly (() => unknown)[]} functions
 */
export async function turns(functions, { rounds, calls, warmup = 5 }) {
  const times = functions.map(() => [])
  for (let round = -warmup; round < rounds; round++) {
    for (let turn = 0; turn < functions.length; turn++) {
      const at = (turn + round + warmup) % functions.length
      const start = processorTime()
      for (let call = 0; call < calls; call++) await functions[at]()
      if (round >= 0) times[at].push((processorTime() - start) / calls)
    }
  }
  return times
}
