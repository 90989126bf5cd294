/** Where to listen: the forms that `app.listen()` and `serve()` take, and the rules of `PORT`. */
import { checkKeys } from "./checks.ts"
import { FwError } from "./errors.ts"
import type { ListenOptions, ListenTarget } from "./platform.ts"
import { describe } from "./text.ts"

/** The calls that listen, and the codes of their errors. */
const codes = { "app.listen()": "address", "serve()": "serve" } as const

const fix = 'Write 3000, ":3000", "127.0.0.1:3000", "[::1]:3000" or { port: 3000 }; port 0 takes a free port.'

/**
 * Reads a port, an address (`:3000`, `host:3000`, `[::1]:3000`) or options. Without a port, `PORT` counts, and without
 * that 3000.
 *
 * @param port the environment variable `PORT`.
 * @throws FwError `address` for anything else, and `serve` where `serve()` was called.
 */
export function listenOptions(
  target: ListenTarget | undefined,
  port: string | undefined,
  call: keyof typeof codes = "app.listen()",
): ListenOptions {
  const refuse = (what: string, how = fix) => new FwError(codes[call], what, how)
  const checked = (value: number, what: string, how?: string) => {
    if (Number.isInteger(value) && value >= 0 && value <= 65535) return value
    throw refuse(`${what} is not a port from 0 to 65535`, how)
  }
  const byEnvironment = () => {
    if (port === undefined || port === "") return 3000
    const what = `the environment variable PORT is ${JSON.stringify(port)}, which`
    return checked(readPort(port), what, "Set it to a number from 0 to 65535.")
  }
  if (target === undefined) return { port: byEnvironment() }
  if (typeof target === "number") return { port: checked(target, `${call} was given ${target}, which`) }
  if (typeof target === "string") {
    const parts = /^(?:\[([^\]]+)\]|([^:[\]]*)):([^:]*)$/.exec(target)
    if (!parts) throw refuse(`${JSON.stringify(target)} is not an address to listen on`)
    const found = checked(readPort(parts[3] as string), `the port of ${JSON.stringify(target)}`)
    return at(parts[1] ?? parts[2], found)
  }
  if (typeof target !== "object" || target === null)
    throw refuse(`${call} takes a port, an address or options, not ${describe(target)}`)
  checkKeys(target, ["port", "host", "tls"], codes[call], call, { host: "string" })
  const { host, tls } = target
  const asked = target.port
  const shown = typeof asked === "number" ? asked : describe(asked)
  const found =
    asked === undefined ? byEnvironment() : checked(asked, `${call} was given the port ${shown}, which`)
  return { ...at(host, found), ...(tls && { tls }) }
}

/** Without a host, every interface. */
function at(host: string | undefined, port: number): ListenOptions {
  return host ? { host, port } : { port }
}

/** The number of a text; NaN for what is not one. */
function readPort(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
}
