/** Measures several functions in turn in one process. */

/** @param {readonly number[]} numbers */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]

/** Returns the processor time that this process has used, in microseconds. */
export function getProcessorTime() {
  const { user, system } = process.cpuUsage()
  return user + system
}

/**
 * Returns orders of `count` contenders in which each contender comes directly after each other one equally often (Williams,
 * 1949). The order matters because a function that runs after a heavy allocator pays for collecting its garbage.
 */
function createBalancedOrders(count) {
  // The steps from one contender to the next are all different: 0, 1, -1, 2, -2 …
  const first = Array.from({ length: count }, (_, turn) => (turn % 2 ? (turn + 1) / 2 : count - turn / 2))
  const orders = Array.from({ length: count }, (_, start) => first.map((at) => (at + start) % count))
  return count % 2 ? [...orders, ...orders.map((order) => order.toReversed())] : orders
}

function shuffle(items) {
  const itemsLeft = [...items]
  return items.map(() => itemsLeft.splice(Math.floor(Math.random() * itemsLeft.length), 1)[0])
}

/**
 * Returns the microseconds of processor time per call, for each function and each round. In each round every function runs
 * once, in a balanced order. The order is balanced exactly if `rounds` is a multiple of twice the number of functions.
 *
 * @param {readonly (() => unknown)[]} functions
 */
export async function measureInTurns(functions, { rounds, calls, warmup = 5 }) {
  const times = functions.map(() => [])
  const orders = createBalancedOrders(functions.length)
  let ordersLeft = []
  for (let round = -warmup; round < rounds; round++) {
    if (ordersLeft.length === 0 || round === 0) ordersLeft = shuffle(orders)
    for (const at of ordersLeft.pop()) {
      const start = getProcessorTime()
      for (let call = 0; call < calls; call++) await functions[at]()
      if (round >= 0) times[at].push((getProcessorTime() - start) / calls)
    }
  }
  return times
}
