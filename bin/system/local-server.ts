/** Functions for servers on a developer's machine: allowed hosts, and errors of listening. */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import type { FwError } from "../../lib/errors.ts"
import { toolFault } from "../messages/tools.ts"

/**
 * Returns true for a host that another site's DNS cannot point to this machine: localhost (RFC 6761 §6.3), an IP
 * address, or one of the given names. A name that begins with a dot stands for all its subdomains.
 */
export function isAllowedHost(header: string, names: readonly string[] = []): boolean {
  const name = header.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "")
  const allowedNames = ["localhost", ".localhost", ...names].map((one) => one.toLowerCase())
  if (name === "" || allowedNames.some((one) => one === name || (one.startsWith(".") && name.endsWith(one))))
    return true
  return isIP(name.startsWith("[") && name.endsWith("]") ? name.slice(1, -1) : name) !== 0
}

/** Returns true for a request from a page of another site. Browsers send Origin or, without it, Sec-Fetch-Site. */
export function isFromOtherSite({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers
  if (origin !== undefined && origin.replace(/^https?:\/\//, "") !== host) return true
  return /^(?:cross-site|same-site)$/.test(String(headers["sec-fetch-site"] ?? ""))
}

/** Returns the error of a server that cannot listen on its address, with the fix. */
export function bindError(
  cause: Error & { code?: string },
  { host, port, command }: { readonly host: string; readonly port: number; readonly command: string },
): FwError {
  if (cause.code === "EADDRINUSE") return toolFault("port_in_use.command", [port, command], { cause })
  if (cause.code === "EACCES") return toolFault("port_denied.command", [port, command], { cause })
  return toolFault("host.listen", [host, port, cause.message, command], { cause })
}
