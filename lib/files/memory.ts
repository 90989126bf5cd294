/** `memoryFiles()`: files in memory, for tests. */
import type { Bytes } from "../static/serve-static.ts"
import { createFiles } from "./create-files.ts"
import type { FilesEngine } from "./engine.ts"
import type { LocalFilesOptions } from "./local-addresses.ts"
import type { Files, StoredFile } from "./types.ts"

/**
 * Returns files in the memory of this process, which are lost at its end.
 *
 * @throws FwError `files` for options that are not valid.
 * @example
 * const files = memoryFiles()
 * await files.put("greeting.txt", "hello")
 * await (await files.get("greeting.txt"))?.text() // → "hello"
 */
export function memoryFiles(options: LocalFilesOptions = {}): Files {
  const storedFiles = new Map<string, { readonly file: StoredFile; readonly bytes: Bytes }>()
  const engine: FilesEngine = {
    name: "memory",
    async put(name, source, description) {
      const bytes = new Uint8Array(await new Response(source as Bytes).arrayBuffer())
      const { length: size } = bytes
      storedFiles.set(name, {
        bytes,
        file: { name, size, modified: new Date(), etag: crypto.randomUUID(), ...description },
      })
      return size
    },
    head: async (name) => storedFiles.get(name)?.file ?? null,
    async get(name, range) {
      const entry = storedFiles.get(name)
      if (!entry) return null
      return {
        file: entry.file,
        body: range ? entry.bytes.slice(range.start, range.end + 1) : entry.bytes.slice(),
      }
    },
    async list(prefix, after, limit) {
      const names = [...storedFiles.keys()].filter((name) => name.startsWith(prefix) && name > after).sort()
      const files = names.slice(0, limit).map((name) => (storedFiles.get(name) as { file: StoredFile }).file)
      return { files, isWhole: names.length <= limit }
    },
    async delete(name) {
      storedFiles.delete(name)
    },
  }
  return createFiles(engine, options)
}
