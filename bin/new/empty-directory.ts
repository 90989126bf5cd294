/** Creates a project in the current directory. Files are written one by one, and removed again if a step fails. */
import { existsSync, mkdirSync } from "node:fs"
import { rm, rmdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { fileFault } from "../messages/files.ts"
import { OwnDirectory } from "../system/own-directory.ts"

/** What the programs that `fw new` runs write. */
const programOutputs = ["node_modules", "package-lock.json", ".git", ".fw"]

/** An empty directory of the user. Files that another program writes into it are not removed. */
export class EmptyDirectory extends OwnDirectory {
  readonly #files: string[] = []
  readonly #directories: string[] = []
  #isComplete = false

  /** Opens the directory at an absolute path. */
  static open(path: string): EmptyDirectory {
    return new EmptyDirectory(path)
  }

  override async createDirectory(name: string): Promise<string> {
    const path = this.resolve(name)
    this.#createMissing(path)
    return path
  }

  /**
   * Writes a new file.
   *
   * @throws FwError `exists` if another program has written it meanwhile.
   */
  override async write(name: string, bytes: string | Uint8Array): Promise<string> {
    const path = this.resolve(name)
    this.#createMissing(dirname(path))
    try {
      await writeFile(path, bytes, { flag: "wx" })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") throw fileFault("exists.here", [name])
      throw error
    }
    this.#files.push(path)
    // fw compiles a template to a file next to it.
    if (path.endsWith(".tpl")) this.#files.push(`${path}.ts`)
    return path
  }

  /** Keeps all files, which are in the right directory already. */
  override async moveTo(): Promise<void> {
    this.#isComplete = true
  }

  /** Removes everything that this run has written, unless the project is complete. */
  override async remove(): Promise<void> {
    if (this.#isComplete) return
    for (const name of programOutputs) await rm(this.resolve(name), { recursive: true, force: true, maxRetries: 3 })
    for (const path of this.#files) await rm(path, { force: true })
    // A directory that contains files of another program cannot be removed and stays.
    for (const path of this.#directories.reverse()) await rmdir(path).catch(() => {})
  }

  #createMissing(path: string): void {
    if (path === this.path || existsSync(path)) return
    this.#createMissing(dirname(path))
    mkdirSync(path)
    this.#directories.push(path)
  }
}
