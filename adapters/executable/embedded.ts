/** Static files that are inside the program instead of on a disk. Used by the platform of executables. */
import { type Bytes, chunkSize, type FileSource, type OpenFile, wholeLimit } from "../../lib/static/static.ts"

/** What is known of a file before it is read. */
export interface EmbeddedFile {
  /** Bytes. */
  readonly size: number
  /** Names the content, as `FileInfo.tag` does. */
  readonly tag: string
}

/** The files of each directory by their paths in it, with forward slashes; the directories by {@link directoryName}. */
export type EmbeddedFiles = Readonly<Record<string, Readonly<Record<string, EmbeddedFile>>>>

/** One name for all spellings of a directory below the project: `./static/` is `static`. Null for one that lies elsewhere. */
export function directoryName(dir: string): string | null {
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
 * A source over files inside the program.
 *
 * @param read gives a file's bytes, which nobody writes to.
 */
export function embeddedSource(
  files: Readonly<Record<string, EmbeddedFile>>,
  read: (path: string) => Uint8Array,
): FileSource {
  const known = new Map(Object.entries(files))
  const directories = new Set([""])
  for (const path of known.keys()) {
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
      directories.add(path.slice(0, at))
  }
  return {
    async open(segments) {
      const path = segments.join("/")
      const file = known.get(path)
      if (file) return openEmbedded(file, () => read(path))
      return directories.has(path) ? "directory" : null
    },
  }
}

function openEmbedded({ size, tag }: EmbeddedFile, read: () => Uint8Array): OpenFile {
  return {
    size,
    tag,
    // A time of its own would make two builds of one tree differ; the tag says more than a time.
    modified: 0,
    async close() {},
    async read(start, end) {
      const bytes = read()
      if (end - start < wholeLimit) return bytes.slice(start, end + 1) as Bytes
      return stream(bytes, start, end + 1)
    },
  }
}

/** Copies, a chunk at a time: what is inside the program may not be written to, and a reader may do as it likes. */
function stream(bytes: Uint8Array, start: number, end: number): ReadableStream<Bytes> {
  let at = start
  return new ReadableStream<Bytes>(
    {
      pull(controller) {
        const next = Math.min(at + chunkSize, end)
        controller.enqueue(bytes.slice(at, next) as Bytes)
        at = next
        if (at === end) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
