/** Serves every contract case on a port of its own, with the adapter that is asked for, and prints the ports. Run by each runtime. */
import type { AddressInfo } from "node:net"
import type { App } from "../../../lib/index.ts"
import type { ListenOptions, Server } from "../../../lib/platform.ts"
import { allCases } from "./all.ts"
import { socketCases } from "./socket.ts"

type Serve = (app: App, options: ListenOptions) => Promise<Pick<Server, "addr">>

/** `nodeHandler` in a server that the program makes itself. */
async function handlerServe(): Promise<Serve> {
  const { createServer } = await import("node:http")
  const { nodeHandler } = await import("../../../adapters/node.ts")
  return (app, { host, port }) =>
    new Promise((resolve) => {
      const server = createServer({ requireHostHeader: false }, nodeHandler(app))
      server.listen(port, host, () => resolve({ addr: `:${(server.address() as AddressInfo).port}` }))
    })
}

const adapters: Record<string, () => Promise<Serve>> = {
  node: async () => (await import("../../../adapters/node.ts")).serve,
  bun: async () => (await import("../../../adapters/bun.ts")).serve,
  deno: async () => (await import("../../../adapters/deno.ts")).serve,
  handler: handlerServe,
}

const serve = await (adapters[process.argv[2] as string] as () => Promise<Serve>)()
const ports: number[] = []
for (const { app } of [...allCases, ...(process.argv[2] === "handler" ? [] : socketCases)]) {
  const { addr } = await serve(await app(), { host: "127.0.0.1", port: 0 })
  ports.push(Number(addr.split(":").at(-1)))
}
// Sockets have servers of their own, behind those of the cases.
console.log(JSON.stringify(ports))
// Ends with whoever started it.
process.stdin.on("end", () => process.exit()).resume()
