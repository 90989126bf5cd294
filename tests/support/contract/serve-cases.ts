/** Serves every contract case on its own port, and prints the ports. */
import type { App } from "../../../lib/index.ts"
import type { ListenOptions, Server } from "../../../lib/platform.ts"
import { allCases, socketCases } from "./all.ts"

/** Starts a server for an app. */
export type Serve = (app: App, options: ListenOptions) => Promise<Pick<Server, "addr">>

/**
 * Starts a server for each case. They end with the process that started this one.
 *
 * @param sockets whether the socket cases have servers too, after those of the others.
 */
export async function serveCases(serve: Serve, { sockets = true } = {}): Promise<void> {
  const ports: number[] = []
  for (const { app } of [...allCases, ...(sockets ? socketCases : [])]) {
    const { addr } = await serve(await app(), { host: "127.0.0.1", port: 0 })
    ports.push(Number(addr.split(":").at(-1)))
  }
  console.log(JSON.stringify(ports))
  process.stdin.on("end", () => process.exit()).resume()
}
