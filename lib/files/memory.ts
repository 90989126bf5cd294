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
  const kept = new Map<string, { readonly file: StoredFile; readonly bytes: Bytes }>()
  const engine: FilesEngine = {
    name: "memory",
    async put(name, source, description) {
      const bytes = new Uint8Array(await new Response(source as Bytes).arrayBuffer())
      const { length: size } = bytes
      kept.set(name, { bytes, file: { name, size, modified: new Date(), etag: crypto.randomUUID(), ...description } })
      return size
    },
    head: async (name) => kept.get(name)?.file ?? null,
    async get(name, range) {
      const found = kept.get(name)
      if (!found) return null
      return { file: found.file, body: range ? found.bytes.slice(range.start, range.end + 1) : found.bytes.slice() }
    },
    async list(prefix, after, limit) {
      const names = [...kept.keys()].filter((name) => name.startsWith(prefix) && name > after).sort()
      const files = names.slice(0, limit).map((name) => (kept.get(name) as { file: StoredFile }).file)
      return { files, isWhole: names.length <= limit }
    },
    async delete(name) {
      kept.delete(name)
    },
  }
  return createFiles(engine, options)
}
