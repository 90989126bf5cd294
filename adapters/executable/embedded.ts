/** Static files that are embedded in the program. */
import { type Bytes, chunkBytes, type FileSource, maxWholeBytes, type OpenFile } from "../../lib/static/serve-static.ts"

/** Facts about a file that are known before reading it. */
export interface EmbeddedFile {
  /** In bytes. */
  readonly size: number
  /** Identifies the content, like `FileInfo.tag`. */
  readonly tag: string
}

/**
 * The files of each directory by their paths in it, with forward slashes. The key of a directory is its
 * {@link normalizeDirectory} form.
 */
export type EmbeddedFiles = Readonly<Record<string, Readonly<Record<string, EmbeddedFile>>>>

/**
 * Returns one name for all spellings of a directory below the project: `./static/` is `static`. Null for a
 * directory elsewhere.
 */
export function normalizeDirectory(dir: string): string | null {
  const parts: string[] = []
  if (/^(?:[/\\]|[A-Za-z]:)/.test(dir)) return null
  for (const part of dir.split(/[/\\]/)) {
    if (part === "" || part === ".") continue
    if (part !== "..") parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join("/")
}

/**
 * Returns a source of embedded files.
 *
 * @param read returns a file's bytes, which must not be changed.
 */
export function createEmbeddedSource(
  files: Readonly<Record<string, EmbeddedFile>>,
  read: (path: string) => Uint8Array,
): FileSource {
  const known = new Map(Object.entries(files))
  const directories = new Set([""])
  for (const path of known.keys()) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) directories.add(path.slice(0, at))
  }
  return {
    async open(segments) {
      const path = segments.join("/")
      const file = known.get(path)
      if (file) return openEmbedded(file, () => read(path))
      return directories.has(path) ? "directory" : null
    },
    list: () => [...known.keys()],
  }
}

function openEmbedded({ size, tag }: EmbeddedFile, read: () => Uint8Array): OpenFile {
  return {
    size,
    tag,
    // A time would make two builds of one tree differ; the tag is more precise.
    modified: 0,
    async close() {},
    async read(start, end) {
      const bytes = read()
      if (end - start < maxWholeBytes) return bytes.slice(start, end + 1) as Bytes
      return streamCopies(bytes, start, end + 1)
    },
  }
}

/**
 * Streams copies, a chunk at a time, because embedded bytes must not be changed and a reader may change its
 * chunks.
 */
function streamCopies(bytes: Uint8Array, start: number, end: number): ReadableStream<Bytes> {
  let at = start
  return new ReadableStream<Bytes>(
    {
      pull(controller) {
        const next = Math.min(at + chunkBytes, end)
        controller.enqueue(bytes.slice(at, next) as Bytes)
        at = next
        if (at === end) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
