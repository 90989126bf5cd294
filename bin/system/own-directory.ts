/** A directory that a run of the command creates for itself. No other process uses it. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { chmod, copyFile, mkdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isInside } from "./path-containment.ts"
import { isAlive, makePartialPath, removeAbandonedPartials } from "./temporary-files.ts"

/** A directory for files that are moved later or only needed for a while. */
export class OwnDirectory {
  /** Absolute path. */
  readonly path: string

  protected constructor(path: string) {
    this.path = path
  }

  /**
   * Creates a directory next to a path; the parent must exist. Removes those that killed processes have left there.
   */
  static async createNextTo(path: string): Promise<OwnDirectory> {
    await removeAbandonedPartials(path)
    const directory = new OwnDirectory(makePartialPath(path))
    await mkdir(directory.path)
    return directory
  }

  /**
   * Creates the directory of this process, whose name contains the process id. Removes those that killed processes
   * have left there.
   */
  static createForProcess(parent: string): OwnDirectory {
    for (const name of readdirSync(parent)) {
      const isAbandoned = /^\d+$/.test(name) && (Number(name) === process.pid || !isAlive(Number(name)))
      if (isAbandoned) rmSync(join(parent, name), { recursive: true, force: true })
    }
    const directory = new OwnDirectory(join(parent, String(process.pid)))
    mkdirSync(directory.path)
    return directory
  }

  /**
   * Creates a directory that only this user can read (mode 0700).
   *
   * @param prefix the start of its path, to which random characters are added.
   */
  static createTemporary(prefix: string): OwnDirectory {
    return new OwnDirectory(mkdtempSync(prefix))
  }

  /** Creates the directory again after it was removed. Its parent must exist. */
  async recreate(): Promise<void> {
    await mkdir(this.path)
  }

  /**
   * Returns the absolute path of a file in the directory.
   *
   * @throws RangeError for a path outside the directory.
   */
  resolve(name: string): string {
    const path = join(this.path, name)
    if (!isInside(path, this.path)) throw new RangeError(`${name} is not in ${this.path}`)
    return path
  }

  /** Creates a directory inside it, with missing parents. */
  async createDirectory(name: string): Promise<string> {
    await mkdir(this.resolve(name), { recursive: true })
    return this.resolve(name)
  }

  /**
   * Writes a file and creates its parent directories.
   *
   * @returns the path of the file.
   */
  async write(name: string, bytes: string | Uint8Array): Promise<string> {
    const path = this.resolve(name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
    return path
  }

  /**
   * Writes a file into an existing directory.
   *
   * @returns the path of the file.
   */
  writeSync(name: string, bytes: string | Uint8Array): string {
    const path = this.resolve(name)
    writeFileSync(path, bytes)
    return path
  }

  /** Copies a file into the directory. Only the owner can write the copy. It is executable if the source is. */
  async copy(source: string, name: string): Promise<void> {
    const path = this.resolve(name)
    await mkdir(dirname(path), { recursive: true })
    await copyFile(source, path)
    const { mode } = await stat(source)
    await chmod(path, mode & 0o100 ? 0o755 : 0o644)
  }

  /** Removes a file or directory inside it. */
  removeEntrySync(name: string): void {
    rmSync(this.resolve(name), { recursive: true, force: true })
  }

  /**
   * Moves the directory to a path where nothing or an empty directory is.
   *
   * @throws the system's error if something else is there.
   */
  async moveTo(path: string): Promise<void> {
    // Only POSIX can rename a directory to an empty one.
    if (process.platform === "win32") await rmdir(path).catch(() => {})
    await rename(this.path, path)
  }

  /** Moves the directory to the path of another one, which is removed. */
  async replace(path: string): Promise<void> {
    const old = makePartialPath(path)
    await rename(path, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error
    })
    await rename(this.path, path)
    await rm(old, { recursive: true, force: true })
  }

  /** Removes the directory and its content. Does nothing after it was moved. */
  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 })
  }

  /** Does the same as {@link remove} synchronously, when the process ends. */
  removeAllSync(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
