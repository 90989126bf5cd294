/** `fw dev`: runs the application and applies every change to it. */
import { isIP } from "node:net"
import { networkInterfaces } from "node:os"
import type { OptionsOf } from "../cli/spec.ts"
import { createView, type Io, throwIfInterrupted, waitForStop } from "../cli/terminal.ts"
import { readVersion } from "../cli/version.ts"
import type { RequestDetail } from "../dev/requests/view.ts"
import { takeInspector } from "../dev/server/inspector.ts"
import { Session } from "../dev/session.ts"
import type * as specs from "../specs/project.ts"

/**
 * Serves the application until the command is stopped.
 *
 * @throws FwError if there is no project or no esbuild, or if the port is not available.
 */
export async function run({ host, port, allowHost }: OptionsOf<typeof specs.dev>, io: Io): Promise<void> {
  const startedAt = performance.now()
  const stop = waitForStop(io.signal)
  const inspect = await takeInspector(process.env)
  const project = { root: io.cwd, appDir: "app" }
  const makeTest = async (request: RequestDetail) => {
    const { writeRequestTest } = await import("../generate/request-test.ts")
    return writeRequestTest(project, request, io.signal)
  }
  const session = new Session({ project, host, port, allowedHosts: [host, ...allowHost], inspect, makeTest }, io)
  try {
    await Promise.race([session.open(), stop, session.failure])
    if (!io.signal.aborted) io.stdout.write(await formatBanner(session.port, host, performance.now() - startedAt, io))
    await Promise.race([stop, session.failure])
  } finally {
    await session.close()
  }
  throwIfInterrupted(io.signal)
}

async function formatBanner(port: number, host: string, ms: number, io: Io): Promise<string> {
  const { style } = createView(io.stdout, io.env)
  const urls = listAddresses(host).map(([name, address]) => {
    return [name, `http://${isIP(address) === 6 ? `[${address}]` : address}:${port}/`] as const
  })
  const rows = [...urls, ["Inspect", `${urls[0]?.[1]}__fw/`]]
  const lines = rows.map(([name, url = ""]) => `  ${style.bold(`${name}:`.padEnd(9))}${style.cyan(url)}\n`)
  return `\n  ${style.green(style.bold(`fw ${readVersion()}`))} ready in ${Math.round(ms)} ms\n\n${lines.join("")}\n`
}

/** Returns the URLs under which clients can reach a server that listens on a host. */
function listAddresses(host: string): [name: "Local" | "Network", address: string][] {
  if (host !== "0.0.0.0" && host !== "::") {
    const isLocal = host === "localhost" || host === "::1" || host.startsWith("127.")
    return [[isLocal ? "Local" : "Network", host]]
  }
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const reachable = interfaces.filter(({ internal, family, address }) => {
    // A link-local address needs a zone, which browsers do not accept in URLs.
    return !internal && (family === "IPv4" || (host === "::" && !address.startsWith("fe80")))
  })
  return [["Local", "localhost"], ...reachable.map(({ address }) => ["Network", address] as ["Network", string])]
}
