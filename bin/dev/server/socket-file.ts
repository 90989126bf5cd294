/** Removes the sockets between `fw dev` and its processes. */
import { rmdirSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/** Removes a socket's file, and its directory if nothing else is in it. A named pipe of Windows has no file. */
export function removeLastSocket(path: string): void {
  if (process.platform === "win32") return
  rmSync(path, { force: true })
  try {
    rmdirSync(dirname(path))
  } catch {
    // Other files are still in the directory, or it has already been removed.
  }
}
