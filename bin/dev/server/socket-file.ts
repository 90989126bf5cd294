/** Removes the sockets between `fw dev` and its server processes. */
import { rmdirSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/** Removes the file of a socket, and its directory if that is empty. Named pipes of Windows have no file. */
export function removeLastSocket(path: string): void {
  if (process.platform === "win32") return
  rmSync(path, { force: true })
  try {
    rmdirSync(dirname(path))
  } catch {
    // The directory is not empty, or it was already removed.
  }
}
