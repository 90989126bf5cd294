/** A directory that a run of the command has made for itself: nobody else knows its name, so what is written in it is in nobody's way. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { chmod, copyFile, mkdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isInside } from "./path-containment.ts"
import { isAlive, partialOf, sweepPartials } from "./temporary-files.ts"

/** Holds files until they are moved to their place or no longer needed. */
export class OwnDirectory {
  /** Absolute. */
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** Makes one next to a path, in a directory that is there. What runs that were killed have left next to it is removed. */
  static async nextTo(path: string): Promise<OwnDirectory> {
    await sweepPartials(path)
    const made = new OwnDirectory(partialOf(path))
    await mkdir(made.path)
    return made
  }

  /** Makes the one of this process, named by its id. Those that killed processes have left next to it are removed. */
  static ofProcess(parent: string): OwnDirectory {
    for (const name of readdirSync(parent)) {
      const isLeft = /^\d+$/.test(name) && (Number(name) === process.pid || !isAlive(Number(name)))
      if (isLeft) rmSync(join(parent, name), { recursive: true, force: true })
    }
    const made = new OwnDirectory(join(parent, String(process.pid)))
    mkdirSync(made.path)
    return made
  }

  /** Makes one for this user only (mode 0700), in the system's directory for temporary files. */
  static temporary(prefix: string): OwnDirectory {
    return new OwnDirectory(mkdtempSync(prefix))
  }

  /** The absolute path of a name in it. @throws RangeError for a name that leaves it. */
  at(name: string): string {
    const path = join(this.path, name)
    if (!isInside(path, this.path)) throw new RangeError(`${name} is not in ${this.path}`)
    return path
  }

  /** Makes a directory in it, with those above. */
  async directory(name: string): Promise<string> {
    await mkdir(this.at(name), { recursive: true })
    return this.at(name)
  }

  /** Writes a file, with the directories above it. @returns its path. */
  async write(name: string, bytes: string | Uint8Array): Promise<string> {
    const path = this.at(name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    return path
  }

  /** Writes a file, in a directory that is there already. @returns its path. */
  writeSync(name: string, bytes: string | Uint8Array): string {
    const path = this.at(name)
    writeFileSync(path, bytes)
    return path
  }

  /** Copies a file into it, which only its owner may write to; it can be run where the source can. */
  async copy(source: string, name: string): Promise<void> {
    const path = this.at(name)
    await mkdir(dirname(path), { recursive: true })
    await copyFile(source, path)
    const { mode } = await stat(source)
    await chmod(path, mode & 0o100 ? 0o755 : 0o644)
  }

  /** Removes something in it. */
  removeSync(name: string): void {
    rmSync(this.at(name), { recursive: true, force: true })
  }

  /** Moves it to a place where nothing is, or an empty directory. @throws the system's error where something else is there. */
  async become(path: string): Promise<void> {
    // Only POSIX renames onto an empty directory.
    if (process.platform === "win32") await rmdir(path).catch(() => {})
    await rename(this.path, path)
  }

  /** Moves it to the place of another directory, and removes that. */
  async replace(path: string): Promise<void> {
    const old = partialOf(path)
    await rename(path, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error
    })
    await rename(this.path, path)
    await rm(old, { recursive: true, force: true })
  }

  /** Removes it with all that is in it. Nothing happens where it was moved. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 })
  }

  /** Does the same at once, for the end of the process. */
  clear(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
