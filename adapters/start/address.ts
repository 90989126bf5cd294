/** Where a program listens: at `HOST` and `PORT`, or on a socket of systemd, and with HTTPS if it has a certificate. */
import { readFileSync } from "node:fs"
import type { ListenOptions, TLSOptions } from "../../lib/platform.ts"
import { describeFileError, startFault } from "../shared/start-fault.ts"

/** The first socket of systemd (sd_listen_fds(3)). */
const firstSocket = 3
const socketVariables = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]

/** Removes systemd's variables if they are for another process. The workers of this process find those that are for it. */
export function dropForeignSockets(env: NodeJS.ProcessEnv): void {
  if (env.LISTEN_PID !== `${process.pid}`) dropSockets(env)
}

/** Removes systemd's variables, so that programs which this one starts do not take the socket for theirs. */
function dropSockets(env: NodeJS.ProcessEnv): void {
  for (const name of socketVariables) delete env[name]
}

/**
 * Returns the target of `app.listen()`, without `PORT`, which `app.listen()` reads itself.
 *
 * @throws FwError `tls`, and `listen_fds` for several sockets.
 */
export async function readListenOptions(env: NodeJS.ProcessEnv): Promise<Partial<ListenOptions>> {
  const tls = await readCertificate(env)
  const { LISTEN_FDS } = env
  dropSockets(env)
  if (LISTEN_FDS && LISTEN_FDS !== "1") throw startFault("listen_fds", [LISTEN_FDS])
  return { ...(LISTEN_FDS ? { fd: firstSocket } : { host: env.HOST ?? "" }), ...(tls && { tls }) }
}

async function readCertificate({ FW_TLS_CERT, FW_TLS_KEY }: NodeJS.ProcessEnv): Promise<TLSOptions | undefined> {
  if (!FW_TLS_CERT && !FW_TLS_KEY) return undefined
  const { checkTLS } = await import("../shared/tls.ts")
  const tls = { cert: readPEM("FW_TLS_CERT", FW_TLS_CERT), key: readPEM("FW_TLS_KEY", FW_TLS_KEY) }
  const named = (variable: string, path: string | undefined) => (path ? `${variable} (${path})` : variable)
  checkTLS(tls, { cert: named("FW_TLS_CERT", FW_TLS_CERT), key: named("FW_TLS_KEY", FW_TLS_KEY) })
  return tls
}

function readPEM(variable: string, path = ""): string {
  if (path === "") return ""
  if (/-----|\n/.test(path)) throw startFault("tls.text", [variable])
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw startFault("tls.file", [variable, path, describeFileError(error as { code?: string })])
  }
}
