/** What every server on a developer's machine needs: whom it may answer, and why it could not start. Used by `fw dev` and the explorer. */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import type { FwError } from "../../lib/errors.ts"
import { toolFault } from "../messages/tools.ts"

/** A host that no stranger's DNS can point here: localhost (RFC 6761 §6.3), an address itself, or the one that was named. */
export function isAllowedHost(header: string, host = "localhost"): boolean {
  const name = header.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "")
  if (name === "" || name === "localhost" || name.endsWith(".localhost") || name === host.toLowerCase())
    return true
  return isIP(name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name) !== 0
}

/** Whether another site asks. Browsers say so by Origin, or by Sec-Fetch-Site where there is none. */
export function isForeign({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers
  if (origin !== undefined && origin.replace(/^https?:\/\//, "") !== host) return true
  return /^(?:cross-site|same-site)$/.test(String(headers["sec-fetch-site"] ?? ""))
}

/** The error of a server that could not take its address, with what to do. */
export function bindError(
  cause: Error & { code?: string },
  { host, port, command }: { readonly host: string; readonly port: number; readonly command: string },
): FwError {
  if (cause.code === "EADDRINUSE") return toolFault("port_in_use.command", [port, command], { cause })
  if (cause.code === "EACCES") return toolFault("port_denied.command", [port, command], { cause })
  return toolFault("host.listen", [host, port, cause.message, command], { cause })
}
