/** Makes servers listen on an address, and explains errors. */
import { checkApp } from "../../lib/app.ts"
import type { FwError } from "../../lib/errors.ts"
import { hostFault } from "../../lib/lifecycle/host-fault.ts"
import { parseListenOptions } from "../../lib/lifecycle/listen-options.ts"
import type { Env, ListenOptions, ListenTarget } from "../../lib/platform.ts"

/**
 * Parses the arguments of an adapter's `serve`.
 *
 * @throws FwError `app` for a value that is not an app, `serve` for an invalid address, `tls` for an invalid certificate.
 */
export async function toServeOptions(
  app: unknown,
  target: ListenTarget | undefined,
  { get }: Env,
): Promise<ListenOptions> {
  checkApp(app, "serve()")
  const options = parseListenOptions(target, get("PORT"), "serve()")
  if (options.tls) (await import("./tls.ts")).checkTLS(options.tls)
  return options
}

/** Returns the error for an address on which a server cannot listen: `port_in_use`, `port_denied` or `host`. */
export function toBindError(cause: Error & { code?: string }, { host, port, fd }: ListenOptions): FwError {
  const address = fd === undefined ? `${host ?? ""}:${port}` : `the open socket ${fd}`
  switch (cause.code) {
    case "EADDRINUSE":
      return hostFault("port_in_use", [address], { cause })
    case "EACCES":
      return hostFault("port_denied", [address], { cause })
    default:
      return hostFault("host", [address, cause.message], { cause })
  }
}

/**
 * Listens on the given host. Without one, listens on every interface, even on a machine without IPv6.
 *
 * @throws FwError `port_in_use`, `port_denied` or `host`, also for a socket that has no port.
 */
export function bindHost<Bound>(options: ListenOptions, listen: (hostname: string) => Bound): Bound {
  const { host, path, fd } = options
  if (path ?? fd)
    throw hostFault("host.runtime", [path ?? `the open socket ${fd}`, "Bun" in globalThis ? "Bun" : "Deno"])
  try {
    return listen(host ?? "::")
  } catch (error) {
    const cause = error as Error & { code?: string }
    if (host !== undefined || cause.code === "EADDRINUSE") throw toBindError(cause, options)
  }
  try {
    return listen("0.0.0.0")
  } catch (error) {
    throw toBindError(error as Error, options)
  }
}
