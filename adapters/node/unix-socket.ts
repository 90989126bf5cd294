/** Listens on a Unix socket, or on a named pipe of Windows. */
import { once } from "node:events"
import { chmodSync, existsSync, statSync, unlinkSync } from "node:fs"
import { connect, type Server } from "node:net"
import { dirname } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { hostFault } from "../../lib/lifecycle/host-fault.ts"

type SystemError = Error & { readonly code?: string }

/**
 * The user and the group of the program may connect, whatever its umask is. To connect, a program needs the right to
 * write.
 */
const socketMode = 0o660

/**
 * Makes a server listen. A socket that a killed program has left behind is replaced. The system removes the file when
 * the server stops.
 *
 * @throws FwError `port_in_use` if a program listens on the socket, or if the path is a file that is not a socket;
 * `port_denied` and `host`.
 */
export async function bindSocket(server: Server, path: string): Promise<void> {
  try {
    await listen(server, path).catch(async (error: SystemError) => {
      if (error.code !== "EADDRINUSE" || !(await isAbandoned(path))) throw error
      unlinkSync(path)
      await listen(server, path)
    })
  } catch (error) {
    throw toSocketError(error as SystemError, path)
  }
  if (process.platform !== "win32") chmodSync(path, socketMode)
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen({ path })
  await once(server, "listening")
}

/** Returns true for a socket on which no program listens. */
async function isAbandoned(path: string): Promise<boolean> {
  if (!isSocket(path)) return false
  const client = connect(path)
  try {
    await once(client, "connect")
    return false
  } catch (error) {
    return (error as SystemError).code === "ECONNREFUSED"
  } finally {
    client.destroy()
  }
}

function isSocket(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isSocket() ?? false
}

function toSocketError(cause: SystemError, path: string): FwError {
  switch (cause.code) {
    case "EADDRINUSE":
      return hostFault(isSocket(path) ? "port_in_use.socket" : "port_in_use.file", [path], { cause })
    case "EACCES":
      // libuv reports the same code if the directory does not exist.
      if (!existsSync(dirname(path))) return hostFault("host.socket", [path, "its directory does not exist"], { cause })
      return hostFault("port_denied.socket", [path], { cause })
    default:
      return hostFault("host.socket", [path, cause.message], { cause })
  }
}
