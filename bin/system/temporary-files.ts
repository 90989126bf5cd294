/**
 * Names temporary files and directories after the process that writes them, so that those of killed processes can
 * be removed.
 */
import { randomBytes } from "node:crypto"
import { readdir, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"

/**
 * After this time without changes, a file is regarded as abandoned, in milliseconds. Stalled downloads end earlier.
 */
const abandonedAfterMs = 3_600_000

// The name of the host is needed because containers may share a cache, but have their own process ids.
const host = hostname().replace(/[^\w-]/g, "-") || "host"

/**
 * Returns a unique path next to a file or directory that is written atomically. The name begins with a dot, which
 * watchers ignore. It keeps the extension, by which the CSS compiler recognizes sources.
 */
export function makePartialPath(path: string): string {
  const name = basename(path)
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? ""
  const random = randomBytes(6).toString("hex")
  return join(dirname(path), `.${name}.${host}.${process.pid}.${random}.partial${ending}`)
}

/** Removes the temporary files next to a file whose processes have ended. */
export async function removeAbandonedPartials(path: string): Promise<void> {
  const folder = dirname(path)
  const start = `.${basename(path)}.`
  for (const name of await readdir(folder)) {
    const [, machine, pid] = /^\.([\w-]+)\.(\d+)\.[0-9a-f]{12}\.partial/.exec(name.slice(start.length - 1)) ?? []
    if (!name.startsWith(start) || machine === undefined) continue
    const file = join(folder, name)
    const isAbandoned = machine === host ? !isAlive(Number(pid)) : await isStale(file)
    if (isAbandoned) await rm(file, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function isStale(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => null)
  return stats !== null && Date.now() - stats.mtimeMs > abandonedAfterMs
}

/** Returns true if a process is running on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
