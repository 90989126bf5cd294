/** A proxy between a store and its server that delays, truncates, stalls and resets connections at random. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A running proxy. */
export interface BadProxy {
  readonly port: number
  /** Lets everything pass on new connections from now on, and resets the old ones. */
  calm(): void
  end(): Promise<void>
}

/**
 * Starts a proxy.
 *
 * @param random returns numbers from 0 to 1.
 */
export async function startBadProxy(target: number, random: () => number): Promise<BadProxy> {
  let isCalm = false
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1")
    const reset = () => {
      resetSocket(near)
      resetSocket(far)
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on("error", reset)
      from.on("close", () => {
        sockets.delete(from)
        to.destroy()
      })
      let before: Promise<unknown> = Promise.resolve()
      from.on("data", (chunk) => {
        before = before.then(() => disturb(chunk, to, reset))
      })
    }
  })

  async function disturb(chunk: Buffer, to: Socket, reset: () => void): Promise<void> {
    const kind = isCalm ? 1 : random()
    if (kind < 0.01) return new Promise(() => {})
    if (kind < 0.03) return reset()
    if (kind < 0.05) {
      to.write(chunk.subarray(0, Math.floor(random() * chunk.length)), reset)
      return
    }
    if (kind < 0.15) await new Promise((resolve) => setTimeout(resolve, random() * 20))
    if (to.writable) to.write(chunk)
  }

  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const cut = () => {
    for (const socket of sockets) resetSocket(socket)
  }
  return {
    port: (server.address() as AddressInfo).port,
    calm() {
      isCalm = true
      cut()
    },
    async end() {
      cut()
      server.close()
      await once(server, "close")
    },
  }
}

/**
 * Resets a connection. Node cannot reset a socket while it sends its end, and then hangs when the process exits.
 */
function resetSocket(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy()
  else socket.resetAndDestroy()
}
