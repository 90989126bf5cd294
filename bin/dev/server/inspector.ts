/** Moves the debugger that `NODE_OPTIONS=--inspect` requests from the command to the program under `fw dev`. */
import { createServer } from "node:net"

/** The address for debuggers. */
export interface InspectAddress {
  readonly host: string
  readonly port: number
  /** True if the program starts only after a debugger has connected. */
  readonly waitsForDebugger: boolean
}

const inspectFlag = /^--inspect(-brk|-wait)?(?:=(?:(.*):)?(\d+)?)?$/
/** The default port of Node's debugger. */
const defaultPort = 9229
/** The number of ports to try. `npx` has the same environment variable and may use the first port. */
const maxPorts = 20

/**
 * Removes the request for a debugger from the environment variables, because otherwise every process that fw starts
 * would open one. Also closes the debugger of this process.
 *
 * @param flags the flags with which this process was started.
 * @returns null if no debugger was requested.
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

/** Returns the first free port from a number on. 0 is returned unchanged: every program gets another port then. */
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
