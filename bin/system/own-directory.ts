/** A directory that a run of the command has created for itself. No other process knows its name. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { chmod, copyFile, mkdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isInside } from "./path-containment.ts"
import { isAlive, makePartialPath, removeAbandonedPartials } from "./temporary-files.ts"

/** Holds files until they are moved to their target or no longer needed. */
export class OwnDirectory {
  /** Absolute. */
  readonly path: string

  protected constructor(path: string) {
    this.path = path
  }

  /** Creates one next to a path, in an existing directory. Removes those of killed processes next to it. */
  static async createNextTo(path: string): Promise<OwnDirectory> {
    await removeAbandonedPartials(path)
    const made = new OwnDirectory(makePartialPath(path))
    await mkdir(made.path)
    return made
  }

  /** Creates the one of this process, named by its id. Removes those of killed processes next to it. */
  static createForProcess(parent: string): OwnDirectory {
    for (const name of readdirSync(parent)) {
      const isLeft = /^\d+$/.test(name) && (Number(name) === process.pid || !isAlive(Number(name)))
      if (isLeft) rmSync(join(parent, name), { recursive: true, force: true })
    }
    const made = new OwnDirectory(join(parent, String(process.pid)))
    mkdirSync(made.path)
    return made
  }

  /** Creates one for this user only (mode 0700), in the system's directory for temporary files. */
  static createTemporary(prefix: string): OwnDirectory {
    return new OwnDirectory(mkdtempSync(prefix))
  }

  /** Makes it again after somebody has removed it. Its parent must exist. */
  async recreate(): Promise<void> {
    await mkdir(this.path)
  }

  /** Returns the absolute path of a name in it. @throws RangeError for a name that leaves it. */
  resolve(name: string): string {
    const path = join(this.path, name)
    if (!isInside(path, this.path)) throw new RangeError(`${name} is not in ${this.path}`)
    return path
  }

  /** Creates a directory in it, with its parents. */
  async createDirectory(name: string): Promise<string> {
    await mkdir(this.resolve(name), { recursive: true })
    return this.resolve(name)
  }

  /** Writes a file, with its parent directories. @returns its path. */
  async write(name: string, bytes: string | Uint8Array): Promise<string> {
    const path = this.resolve(name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    return path
  }

  /** Writes a file, in an existing directory. @returns its path. */
  writeSync(name: string, bytes: string | Uint8Array): string {
    const path = this.resolve(name)
    writeFileSync(path, bytes)
    return path
  }

  /** Copies a file into it. Only its owner may write the copy; it is executable if the source is. */
  async copy(source: string, name: string): Promise<void> {
    const path = this.resolve(name)
    await mkdir(dirname(path), { recursive: true })
    await copyFile(source, path)
    const { mode } = await stat(source)
    await chmod(path, mode & 0o100 ? 0o755 : 0o644)
  }

  /** Removes something in it. */
  removeEntrySync(name: string): void {
    rmSync(this.resolve(name), { recursive: true, force: true })
  }

  /**
   * Moves it to a path where there is nothing or an empty directory. @throws the system's error if there is
   * something else.
   */
  async moveTo(path: string): Promise<void> {
    // Only POSIX can rename to an empty directory.
    if (process.platform === "win32") await rmdir(path).catch(() => {})
    await rename(this.path, path)
  }

  /** Moves it to the path of another directory, and removes that. */
  async replace(path: string): Promise<void> {
    const old = makePartialPath(path)
    await rename(path, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error
    })
    await rename(this.path, path)
    await rm(old, { recursive: true, force: true })
  }

  /** Removes it with its content. Does nothing after it was moved. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 })
  }

  /** Does the same synchronously, for the end of the process. */
  removeAllSync(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
