/** An OpenAPI document to explore, and an application that returns the requests that it received. */
import { createServer, type OutgoingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * Returns a valid document.
 *
 * @param url of its only server, which is left out by default. @param more other properties of the document.
 */
export function documentFor(url?: string, more: object = {}) {
  return {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: {},
    ...(url && { servers: [{ url }] }),
    ...more,
  }
}

/** A running application. */
export interface Echo {
  readonly port: number
  close(): void
}

/** Starts an application whose answers are the requests, as JSON. @param headers of each answer. */
export async function startEcho(headers: OutgoingHttpHeaders, status = (_method: string) => 200): Promise<Echo> {
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on("data", (part) => parts.push(part))
    incoming.on("end", () => {
      const { method = "", url, headers: sent } = incoming
      outgoing.writeHead(status(method), headers)
      outgoing.end(JSON.stringify({ method, url, headers: sent, body: Buffer.concat(parts).toString() }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}
