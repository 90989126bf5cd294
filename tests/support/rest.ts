/** Waits until a counter stops changing, by the order of events instead of a time. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"

/** A writer that can continue does so within a few round trips of another connection. */
const roundTrips = 50

/** Waits until a count has reached a minimum and no longer changes. @returns the count. */
export async function atRest(count: () => number, least = 1): Promise<number> {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
  let before = 0
  for (let same = 0; same < roundTrips; ) {
    socket.write("x")
    await once(socket, "data")
    const now = count()
    same = now >= least && now === before ? same + 1 : 0
    before = now
  }
  socket.destroy()
  server.close()
  return before
}
