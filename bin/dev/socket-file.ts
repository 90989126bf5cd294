/** Removes the sockets that `fw dev` and its processes talk over. Used by `dev-child.ts` and `dev-rehearsal.ts`. */
import { rmdirSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/** Removes a socket's file. A named pipe of Windows has none. */
export function removeSocket(path: string): void {
  if (process.platform !== "win32") rmSync(path, { force: true })
}

/** Removes a socket's file, and its directory where nothing else is in it any more. */
export function removeLastSocket(path: string): void {
  if (process.platform === "win32") return
  removeSocket(path)
  try {
    rmdirSync(dirname(path))
  } catch {
    // Others are still there, or it is gone already.
  }
}
