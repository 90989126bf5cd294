/** The files that a session of `fw dev` writes for its server processes, in a directory of its own. */
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { makeDirectory } from "../system/directories.ts"
import { OwnDirectory } from "../system/own-directory.ts"
import type { Patch } from "./bundle/bundle-patch.ts"
import type { Bundle, Program } from "./bundle/bundler.ts"
import type { ProgramFiles } from "./server/messages.ts"

/** A written file, and the number of programs that use it. */
interface WrittenFile {
  readonly file: string
  users: number
}

/** Writes programs. A bundle or patch is written once, even if several programs use it. */
export class DevFiles {
  /** The directory that the session has for its files. */
  readonly directory: string
  /**
   * A module in the project that exports a function for `import()`, so that packages are found from the project.
   */
  readonly importer: string
  readonly #root: string
  readonly #ownDirectory: OwnDirectory
  readonly #writtenFiles = new Map<Bundle | Patch, WrittenFile>()
  #fileCount = 0

  private constructor(root: string, own: OwnDirectory) {
    this.#root = root
    this.#ownDirectory = own
    this.directory = own.path
    this.importer = this.#writeImporter()
  }

  /**
   * Creates the directory in `.fw/dev/`.
   *
   * @throws FwError if a link leads outside the project, or the directory is not writable.
   */
  static async open(root: string): Promise<DevFiles> {
    const { path } = await makeDirectory({ root, path: ".fw/dev" })
    return new DevFiles(root, OwnDirectory.createForProcess(path))
  }

  /**
   * Writes all files again if the directory was removed, for example by `git clean`.
   *
   * @returns true if it was removed.
   */
  async restore(): Promise<boolean> {
    if (existsSync(this.directory)) return false
    await makeDirectory({ root: this.#root, path: ".fw/dev" })
    await this.#ownDirectory.recreate()
    this.#writeImporter()
    for (const [code, { file }] of this.#writtenFiles) this.#writeCode(code, basename(file))
    return true
  }

  #writeImporter(): string {
    return this.#ownDirectory.writeSync("import.mjs", "export default (specifier) => import(specifier)\n")
  }

  /** Writes a program's code. The caller calls `release` when the process of the program has ended. */
  write({ bundle, patches }: Program): { files: ProgramFiles; release: () => void } {
    const files = {
      importer: this.importer,
      bundle: this.#addUser(bundle, "mjs"),
      patches: patches.map((patch) => ({ names: patch.names, file: this.#addUser(patch, "cjs") })),
    }
    const release = () => {
      for (const one of [bundle, ...patches]) this.#removeUser(one)
    }
    return { files, release }
  }

  /** Removes the directory. */
  clear(): void {
    this.#ownDirectory.removeAllSync()
  }

  /** Returns the file of a bundle or patch, and writes it if it is new. */
  #addUser(code: Bundle | Patch, ending: string): string {
    const written = this.#writtenFiles.get(code) ?? {
      file: this.#writeCode(code, `server-${++this.#fileCount}.${ending}`),
      users: 0,
    }
    this.#writtenFiles.set(code, written)
    written.users += 1
    return written.file
  }

  #writeCode({ code, map }: Bundle | Patch, name: string): string {
    this.#ownDirectory.writeSync(`${name}.map`, map)
    const end = Buffer.from(`\n//# sourceMappingURL=${name}.map\n`)
    return this.#ownDirectory.writeSync(name, Buffer.concat([Buffer.from(code), end]))
  }

  #removeUser(code: Bundle | Patch): void {
    const written = this.#writtenFiles.get(code)
    if (!written || --written.users > 0) return
    this.#writtenFiles.delete(code)
    const name = basename(written.file)
    for (const one of [name, `${name}.map`]) this.#ownDirectory.removeEntrySync(one)
  }
}
