/**
 * Checks `Host` and `Origin`, so that a page in a browser cannot send requests to the endpoint, not even under a name
 * that leads to this machine (DNS rebinding).
 */
import type { Context } from "../context.ts"
import { isOriginAllowed, isOwnOrigin } from "../request/origin.ts"
import { shortenText } from "../text.ts"
import type { ResolvedMCPOptions } from "./options.ts"

/** Returns why a request is refused; null if it may continue. */
export async function findRefusal(
  c: Context,
  { hosts, origins }: Pick<ResolvedMCPOptions, "hosts" | "origins">,
): Promise<string | null> {
  const serverURL = URL.canParse(c.origin) ? new URL(c.origin) : null
  if (!serverURL || !isKnownHost(serverURL.hostname, hosts)) {
    const name = JSON.stringify(shortenText(serverURL?.hostname ?? c.origin))
    return `this server is not reached as ${name}: name it in hosts, an option of mcp()`
  }
  const origin = c.header("origin")
  if (origin === "" || isOwnOrigin(origin, c.origin) || (await isOriginAllowed(origins, origin, c))) return null
  return "pages of this origin may not send requests: name it in origins, an option of mcp()"
}

/** Returns true for a host that no name server can redirect to this machine, and for a host that the program names. */
function isKnownHost(host: string, hosts: readonly string[]): boolean {
  const isAddress = /^\[.*\]$|^\d+\.\d+\.\d+\.\d+$/.test(host)
  return isAddress || host === "localhost" || host.endsWith(".localhost") || hosts.includes(host)
}
