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
      const chunks: Bytes[] = []
      for await (const chunk of source) chunks.push(chunk as Bytes)
      const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
      const file = { name, size: bytes.length, modified: new Date(), etag: crypto.randomUUID(), ...description }
      storedFiles.set(name, { file, bytes })
      return file.size
    },
    head: async (name) => storedFiles.get(name)?.file ?? null,
    async get(name, range) {
      const stored = storedFiles.get(name)
      return stored ? { ...stored, body: stored.bytes.slice(range?.start, range && range.end + 1) } : null
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
