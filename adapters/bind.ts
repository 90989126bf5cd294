/** What binding an address comes to: its errors and its name. Shared by the adapters with servers of their own. */
import { FwError } from "../lib/errors.ts"
import type { ListenOptions } from "../lib/platform.ts"

/** The error of an address that cannot be bound: `port_in_use`, `port_denied` or `host`. */
export function bindError(cause: Error & { code?: string }, { host, port }: ListenOptions): FwError {
  const place = `${host ?? ""}:${port}`
  switch (cause.code) {
    case "EADDRINUSE":
      return new FwError(
        "port_in_use",
        `${place} is in use by another process`,
        "Stop that process, or listen on another port, such as with PORT=3001.",
        { cause },
      )
    case "EACCES":
      return new FwError(
        "port_denied",
        `this user may not listen on ${place}`,
        "Ports below 1024 need a privilege: take a higher one.",
        { cause },
      )
    default:
      return new FwError(
        "host",
        `cannot listen on ${place}: ${cause.message}`,
        "Give an address of this machine, or only the port.",
        { cause },
      )
  }
}

/** `host:port`, the host in brackets where it is IPv6. */
export function formatAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`
}
