/** Where to listen: the address forms of `app.listen()` and the rules of `PORT`. */
import { FwError } from "./errors.ts"
import type { ListenOptions } from "./platform.ts"
import { describe } from "./text.ts"

/**
 * Reads `:3000`, `host:3000` or `[::1]:3000`. Without an address, `PORT` counts, and without that `:3000`.
 *
 * @throws FwError `address` for anything else.
 */
export function listenOptions(address: string | undefined, port: string | undefined): ListenOptions {
  if (address === undefined) {
    if (port === undefined || port === "") return { port: 3000 }
    return { port: readPort(port, "the environment variable PORT", "Set it to a number from 0 to 65535.") }
  }
  const fix = 'Write ":3000", "127.0.0.1:3000", "[::1]:3000", or ":0" for a free port.'
  if (typeof address !== "string")
    throw new FwError("address", `app.listen() takes a text, not ${describe(address)}`, fix)
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]*)):([^:]*)$/.exec(address)
  if (!parts) throw new FwError("address", `${JSON.stringify(address)} is not an address to listen on`, fix)
  const host = parts[1] ?? parts[2] ?? ""
  const options = { port: readPort(parts[3] as string, `the port of ${JSON.stringify(address)}`, fix) }
  return host === "" ? options : { ...options, host }
}

function readPort(text: string, what: string, fix: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port < 0 || port > 65535)
    throw new FwError("address", `${what} is ${JSON.stringify(text)}, which is not a port`, fix)
  return port
}
