/** Parses the addresses that `app.listen()`, `serve()` and `PORT` accept. */
import { checkKeys } from "../checks.ts"
import type { ListenOptions, ListenTarget } from "../platform.ts"
import { hostFault } from "./host-fault.ts"

/** The functions that take an address, and the error code of each. */
const codeByCall = { "app.listen()": "address", "serve()": "serve" } as const

/**
 * The path of a Unix socket, or of a named pipe on Windows. It begins with a slash or a backslash, or with dots before
 * one.
 */
const socketPath = /^\.{0,2}[/\\]/

/**
 * Parses a port, an address (`:3000`, `host:3000`, `[::1]:3000`), the path of a socket (`/run/shop.sock`), or options.
 * Default: `PORT`, which may be a port or a path, otherwise 3000.
 *
 * @param port the value of the environment variable `PORT`.
 * @throws FwError `address` for any other value, or `serve` if it was passed to `serve()`.
 */
export function parseListenOptions(
  target: ListenTarget | undefined,
  port: string | undefined,
  call: keyof typeof codeByCall = "app.listen()",
): ListenOptions {
  const code = codeByCall[call]
  const readEnvironmentPort = (host?: string): ListenOptions => {
    if (port === undefined || port === "") return toOptions(host, 3000)
    if (socketPath.test(port)) return { port: 0, path: port }
    const environmentPort = parsePort(port)
    if (!isPort(environmentPort)) throw hostFault("address.environment", [port], { code })
    return toOptions(host, environmentPort)
  }
  const checkPort = (targetPort: unknown) => {
    if (isPort(targetPort)) return targetPort
    throw hostFault("address.port", [call, targetPort], { code })
  }
  if (target === undefined) return readEnvironmentPort()
  if (typeof target === "number") return { port: checkPort(target) }
  if (typeof target === "string") {
    if (socketPath.test(target)) return { port: 0, path: target }
    const parts = /^(?:\[([^\]]+)\]|([^:[\]]*)):([^:]*)$/.exec(target)
    if (!parts) throw hostFault("address", [target], { code })
    const textPort = parsePort(parts[3] as string)
    if (!isPort(textPort)) throw hostFault("address.text_port", [target], { code })
    return toOptions(parts[1] ?? parts[2], textPort)
  }
  if (typeof target !== "object" || target === null) throw hostFault("address.kind", [call, target], { code })
  checkKeys(target, ["port", "host", "path", "fd", "tls"], code, call, { host: "string", path: "string" })
  const { host, path, fd, tls } = target
  if (fd !== undefined && !(Number.isInteger(fd) && fd >= 0)) throw hostFault("address.fd", [call, fd], { code })
  const socketOptions = path ? { path } : fd === undefined ? undefined : { fd }
  const addressOptions = target.port === undefined ? readEnvironmentPort(host) : toOptions(host, checkPort(target.port))
  return { ...(socketOptions ? { port: 0, ...socketOptions } : addressOptions), ...(tls && { tls }) }
}

function isPort(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65535
}

/** Returns the options for a port. Without a host, the server listens on every interface. */
function toOptions(host: string | undefined, port: number): ListenOptions {
  return host ? { host, port } : { port }
}

/** Returns the port in a text; NaN if the text is not a port. */
function parsePort(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
}
