/** The files that a run of `fw dev` gives its server processes to import, in a directory of its own. Owned by `dev-pool.ts`. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Bundle, Program } from "./bundle.ts"
import type { ProgramFiles } from "./dev-messages.ts"

/** A bundle that is written, and how many still need it. */
interface Written {
  readonly file: string
  users: number
}

/** Writes programs. A bundle is written once, however many programs it is part of. */
export class DevFiles {
  /** Everything is below it. */
  readonly directory: string
  /** A module in the project, whose default export imports as the project does. */
  readonly importer: string
  readonly #bundles = new Map<Bundle, Written>()
  #count = 0

  constructor(root: string) {
    this.directory = ownDirectory(root)
    this.importer = join(this.directory, "import.mjs")
    writeFileSync(this.importer, "export default (specifier) => import(specifier)\n")
  }

  /** The file of a bundle that is in use. */
  fileOf(bundle: Bundle): string | undefined {
    return this.#bundles.get(bundle)?.file
  }

  /** Writes a program's code. `release` says that its process is gone. */
  write({ bundle, patches }: Program): { files: ProgramFiles; release: () => void } {
    const written = this.#bundles.get(bundle) ?? { file: this.#put(bundle), users: 0 }
    this.#bundles.set(bundle, written)
    written.users += 1
    const files = patches.map((patch) => ({ names: patch.names, file: this.#put(patch) }))
    const release = () => {
      for (const { file } of files) remove(file)
      written.users -= 1
      if (written.users > 0) return
      remove(written.file)
      this.#bundles.delete(bundle)
    }
    return { files: { bundle: written.file, patches: files }, release }
  }

  /** Removes everything. */
  clear(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }

  #put({ code, map }: { code: Uint8Array | string; map: Uint8Array | string }): string {
    const name = `server-${++this.#count}.mjs`
    const file = join(this.directory, name)
    writeFileSync(`${file}.map`, map)
    writeFileSync(
      file,
      Buffer.concat([Buffer.from(code), Buffer.from(`\n//# sourceMappingURL=${name}.map\n`)]),
    )
    return file
  }
}

function remove(file: string): void {
  for (const path of [file, `${file}.map`]) rmSync(path, { force: true })
}

/** This run's own directory in `.fw/dev`; those of runs that were killed are cleared away. */
function ownDirectory(root: string): string {
  const parent = join(root, ".fw", "dev")
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    if (!isAlive(Number(name))) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const directory = join(parent, String(process.pid))
  mkdirSync(directory, { recursive: true })
  return directory
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
