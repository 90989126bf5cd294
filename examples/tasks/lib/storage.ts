/** Storage for the tasks: a directory, or memory for tests. */
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** Stores one text, and files by their numbers. */
export interface TaskStorage {
  load(): string | null
  save(text: string): Promise<void>
  get(file: number): Promise<Uint8Array>
  put(file: number, bytes: Uint8Array): Promise<void>
  remove(file: number): Promise<void>
}

export function createMemoryStorage(): TaskStorage {
  const files = new Map<number, Uint8Array>()
  return {
    load: () => null,
    save: async () => {},
    async get(file) {
      const bytes = files.get(file)
      if (!bytes) throw new Error(`there is no file ${file}`)
      return bytes
    },
    async put(file, bytes) {
      files.set(file, bytes)
    },
    async remove(file) {
      files.delete(file)
    },
  }
}

/** Stores files in a directory. Their names are our own numbers, so no name from a client becomes a path. */
export function createDiskStorage(directory: string): TaskStorage {
  const text = join(directory, "tasks.json")
  const path = (file: number) => join(directory, "files", String(file))
  mkdirSync(join(directory, "files"), { recursive: true })
  return {
    load: () => (existsSync(text) ? readFileSync(text, "utf8") : null),
    async save(content) {
      // Renaming is atomic: after a crash, the old file is complete.
      await writeFile(`${text}.new`, content)
      await rename(`${text}.new`, text)
    },
    get: (file) => readFile(path(file)),
    put: (file, bytes) => writeFile(path(file), bytes),
    remove: (file) => rm(path(file), { force: true }),
  }
}
