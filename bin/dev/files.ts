/** The files that a run of `fw dev` writes for its server processes, in its own directory. */
import { basename } from "node:path"
import { makeDirectory } from "../system/directories.ts"
import { OwnDirectory } from "../system/own-directory.ts"
import type { Bundle, Program } from "./bundle.ts"
import type { ProgramFiles } from "./messages.ts"

/** A written bundle, and the number of its users. */
interface Written {
  readonly file: string
  users: number
}

/** Writes programs. A bundle is written once, however many programs use it. */
export class DevFiles {
  /** The directory of all files. */
  readonly directory: string
  /** A module in the project whose default export imports from the project. */
  readonly importer: string
  readonly #own: OwnDirectory
  readonly #bundles = new Map<Bundle, Written>()
  #count = 0

  private constructor(own: OwnDirectory) {
    this.#own = own
    this.directory = own.path
    this.importer = own.writeSync("import.mjs", "export default (specifier) => import(specifier)\n")
  }

  /**
   * Creates the directory in `.fw/dev/`. @throws FwError if a link leads outside the project, or it is not
   * writable.
   */
  static async open(root: string): Promise<DevFiles> {
    const { path } = await makeDirectory({ root, path: ".fw/dev" })
    return new DevFiles(OwnDirectory.ofProcess(path))
  }

  /** Returns the file of a bundle that is in use. */
  fileOf(bundle: Bundle): string | undefined {
    return this.#bundles.get(bundle)?.file
  }

  /** Writes a program's code. Call `release` when its process has ended. */
  write({ bundle, patches }: Program): { files: ProgramFiles; release: () => void } {
    const written = this.#bundles.get(bundle) ?? { file: this.#put(bundle), users: 0 }
    this.#bundles.set(bundle, written)
    written.users += 1
    const files = patches.map((patch) => ({ names: patch.names, file: this.#put(patch) }))
    const release = () => {
      for (const { file } of files) this.#remove(file)
      written.users -= 1
      if (written.users > 0) return
      this.#remove(written.file)
      this.#bundles.delete(bundle)
    }
    return { files: { bundle: written.file, patches: files }, release }
  }

  /** Removes everything. */
  clear(): void {
    this.#own.clear()
  }

  #put({ code, map }: { code: Uint8Array | string; map: Uint8Array | string }): string {
    const name = `server-${++this.#count}.mjs`
    this.#own.writeSync(`${name}.map`, map)
    const end = Buffer.from(`\n//# sourceMappingURL=${name}.map\n`)
    return this.#own.writeSync(name, Buffer.concat([Buffer.from(code), end]))
  }

  #remove(file: string): void {
    const name = basename(file)
    for (const one of [name, `${name}.map`]) this.#own.removeSync(one)
  }
}
