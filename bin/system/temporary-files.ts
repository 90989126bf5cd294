/** Files and directories that are being written: their names tell whose they are, so that what a killed writer left is swept. */
import { randomBytes } from "node:crypto"
import { readdir, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"

/** Nobody writes for so long, in milliseconds, without a byte more: downloads that stall end themselves. */
const stale = 3_600_000

// Containers share a cache and not their process ids.
const host = hostname().replace(/[^\w-]/g, "-") || "host"

/**
 * A name of its own beside a file or directory that is to be written whole. It begins with a dot, which watchers pass over, and
 * keeps the ending, which the CSS compiler goes by when it looks for sources.
 */
export function partialOf(path: string): string {
  const name = basename(path)
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? ""
  const random = randomBytes(6).toString("hex")
  return join(dirname(path), `.${name}.${host}.${process.pid}.${random}.partial${ending}`)
}

/** Removes what writers of a file that are gone have left beside it. */
export async function sweepPartials(path: string): Promise<void> {
  const folder = dirname(path)
  const start = `.${basename(path)}.`
  for (const name of await readdir(folder)) {
    const [, machine, pid] =
      /^\.([\w-]+)\.(\d+)\.[0-9a-f]{12}\.partial/.exec(name.slice(start.length - 1)) ?? []
    if (!name.startsWith(start) || machine === undefined) continue
    const file = join(folder, name)
    const gone = machine === host ? !isAlive(Number(pid)) : await isStale(file)
    if (gone) await rm(file, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function isStale(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > stale
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
