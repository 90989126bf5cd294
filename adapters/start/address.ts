/** Finds out where a program listens: at `HOST` and `PORT`, or on a socket of systemd, and whether with HTTPS. */
import { readFileSync } from "node:fs"
import type { ListenOptions, TLSOptions } from "../../lib/platform.ts"
import { describeFileError, startFault } from "../shared/start-fault.ts"

/** The number of the first socket that systemd passes (sd_listen_fds(3)). */
const firstSocket = 3
const socketVariables = ["LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"]

/**
 * Removes the variables of systemd if they are meant for another process. The workers of this process can then trust
 * them.
 */
export function dropForeignSockets(env: NodeJS.ProcessEnv): void {
  if (env.LISTEN_PID !== `${process.pid}`) dropSockets(env)
}

/** Removes the variables of systemd, so that programs which this one starts do not use its socket. */
function dropSockets(env: NodeJS.ProcessEnv): void {
  for (const name of socketVariables) delete env[name]
}

/**
 * Returns the options for `app.listen()`, except `PORT`, which `app.listen()` reads itself.
 *
 * @throws FwError `tls`, and `listen_fds` if there are several sockets.
 */
export async function readListenOptions(env: NodeJS.ProcessEnv): Promise<Partial<ListenOptions>> {
  const tls = await readCertificate(env)
  const { LISTEN_FDS } = env
  dropSockets(env)
  if (LISTEN_FDS && LISTEN_FDS !== "1") throw startFault("listen_fds", [LISTEN_FDS])
  return { ...(LISTEN_FDS ? { fd: firstSocket } : { host: env.HOST ?? "" }), ...(tls && { tls }) }
}

async function readCertificate(env: NodeJS.ProcessEnv): Promise<TLSOptions | undefined> {
  const { FW_TLS_CERT, FW_TLS_KEY, FW_TLS_PASSPHRASE = "" } = env
  if (!FW_TLS_CERT && !FW_TLS_KEY) return undefined
  const { checkTLS, decryptKey } = await import("../shared/tls.ts")
  const formatName = (variable: string, path: string | undefined) => (path ? `${variable} (${path})` : variable)
  const names = { cert: formatName("FW_TLS_CERT", FW_TLS_CERT), key: formatName("FW_TLS_KEY", FW_TLS_KEY) }
  const cert = readPEM("FW_TLS_CERT", FW_TLS_CERT)
  const key = decryptKey(readPEM("FW_TLS_KEY", FW_TLS_KEY), FW_TLS_PASSPHRASE, [names.key, "FW_TLS_PASSPHRASE"])
  checkTLS({ cert, key }, names)
  return { cert, key }
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
