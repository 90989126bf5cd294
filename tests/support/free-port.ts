/** Finds free ports of this machine. */
import { once } from "node:events"
import { createServer } from "node:net"

/**
 * Returns a port of 127.0.0.1 at which nothing listens. It is below the ports that systems give to servers on port 0
 * and to outgoing connections, so that nothing else on the machine takes it before a test uses it.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const server = createServer().listen(port, "127.0.0.1")
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, "close")
    return port
  }
}
