/** Serves every contract case with the adapter that its argument names. */
import type { AddressInfo } from "node:net"
import { type Serve, serveCases } from "./serve-cases.ts"

/** Returns a function that serves an app with `nodeHandler` in a server of the program. */
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

const adapter = process.argv[2] as string
const serve = await (adapters[adapter] as () => Promise<Serve>)()
await serveCases(serve, { sockets: adapter !== "handler" })
