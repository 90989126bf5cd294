/** What every server on a developer's machine needs: whom it may answer, and why it could not start. Used by `fw dev` and the explorer. */
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { FwError } from "../../lib/errors.ts"

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
  const place = `port ${port}`
  if (cause.code === "EADDRINUSE") {
    const fix = `Stop what listens there, or take another port: ${command} --port ${port + 1}`
    return new FwError("port_in_use", `${place} is in use by another program`, fix, { cause })
  }
  if (cause.code === "EACCES") {
    const fix = `Ports below 1024 need a privilege: take a higher one, such as ${command} --port 3000`
    return new FwError("port_denied", `this user may not listen on ${place}`, fix, { cause })
  }
  const fix = `Give an address of this machine: ${command} --host 127.0.0.1`
  return new FwError("host", `cannot listen on ${host}:${port}: ${cause.message}`, fix, { cause })
}
