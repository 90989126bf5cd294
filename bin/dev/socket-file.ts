/** Removes the sockets between `fw dev` and its processes. */
import { rmdirSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/** Removes a socket's file. A named pipe of Windows has none. */
export function removeSocket(path: string): void {
  if (process.platform !== "win32") rmSync(path, { force: true })
}

/** Removes a socket's file, and its directory if nothing else is in it. */
export function removeLastSocket(path: string): void {
  if (process.platform === "win32") return
  removeSocket(path)
  try {
    rmdirSync(dirname(path))
  } catch {
    // Other files are still there, or it is already removed.
  }
}
