/** Serves static files that are embedded in a program. */
import { type Bytes, chunkBytes, type FileSource, maxWholeBytes, type OpenFile } from "../../lib/static/serve-static.ts"

/** The facts about a file that are known without reading it. */
export interface EmbeddedFile {
  /** The size in bytes. */
  readonly size: number
  /** A text that identifies the content. See `FileInfo.tag`. */
  readonly tag: string
}

/**
 * The files of each directory, by their paths in it with forward slashes. The keys of the directories are results of
 * {@link normalizeDirectory}.
 */
export type EmbeddedFiles = Readonly<Record<string, Readonly<Record<string, EmbeddedFile>>>>

/**
 * Returns one name for all spellings of a directory in the project: `./static/` becomes `static`. Returns null for a
 * directory outside of the project.
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
 * @param read returns the bytes of a file. They must not be changed.
 */
export function createEmbeddedSource(
  files: Readonly<Record<string, EmbeddedFile>>,
  read: (path: string) => Uint8Array,
): FileSource {
  const filesByPath = new Map(Object.entries(files))
  const directories = new Set([""])
  for (const path of filesByPath.keys()) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) directories.add(path.slice(0, at))
  }
  return {
    async open(segments) {
      const path = segments.join("/")
      const file = filesByPath.get(path)
      if (file) return openEmbedded(file, () => read(path))
      return directories.has(path) ? "directory" : null
    },
    list: () => [...filesByPath.keys()],
  }
}

function openEmbedded({ size, tag }: EmbeddedFile, read: () => Uint8Array): OpenFile {
  return {
    size,
    tag,
    // With a time, two builds of the same files would differ. The tag identifies the content better anyway.
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
 * Streams copies of the bytes, one chunk at a time. The embedded bytes must not be changed, but a reader may change the
 * chunks that it gets.
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
