/** The debugger of `fw dev`: that of the program, which `NODE_OPTIONS=--inspect` asks for. */
import { createServer } from "node:net"

/** Where a debugger connects. */
export interface InspectAddress {
  readonly host: string
  readonly port: number
  /** True if the program begins when a debugger is connected. */
  readonly waitsForDebugger: boolean
}

const inspectFlag = /^--inspect(-brk|-wait)?(?:=(?:(.*):)?(\d+)?)?$/
/** The port that Node takes. */
const defaultPort = 9229
/** So many ports are tried: `npx`, which gets the same variable, may have the first. */
const maxPorts = 20

/**
 * Takes the order to open a debugger out of the variables, because each process that fw starts would follow it, and closes the
 * one of this process.
 *
 * @param flags flags with which this process was started.
 * @returns null if there is no such order.
 */
export async function takeInspector(
  env: Record<string, string | undefined>,
  flags: readonly string[] = process.execArgv,
): Promise<InspectAddress | null> {
  const options = (env.NODE_OPTIONS ?? "").split(/\s+/)
  const found = [...flags, ...options].map((option) => inspectFlag.exec(option)).find((match) => match !== null)
  if (!found) return null
  env.NODE_OPTIONS = options.filter((option) => !inspectFlag.test(option)).join(" ")
  const inspector = await import("node:inspector")
  inspector.close()
  const [, kind, host = "127.0.0.1", port = defaultPort] = found
  return { host, port: await findFreePort(host, Number(port)), waitsForDebugger: kind !== undefined }
}

/** Returns the first free port from one on. 0 stays: then each program has another one. */
async function findFreePort(host: string, first: number): Promise<number> {
  if (first === 0) return 0
  for (let port = first; port < first + maxPorts; port++) {
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false))
      server.listen({ host, port }, () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
  return 0
}
