/** Writes and reads tar archives (POSIX.1-2017, pax, "ustar Interchange Format"). */
import { createReadStream } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { readTarHeader, tarBlock, tarPadding } from "../tar-header.ts"

/** A part of a file. */
export interface FilePart {
  readonly file: string
  /** Position of its first byte. */
  readonly at: number
  /** In bytes. */
  readonly size: number
}

/** An entry to write. */
export interface TarEntry {
  /** Relative, with slashes. */
  readonly path: string
  readonly mode: number
  /** User and group. Default: 0, root. */
  readonly owner?: number
  /** Null for a directory. */
  readonly content: Uint8Array | FilePart | null
}

/** Eleven octal digits. */
const mostBytes = 8 ** 11 - 1

/**
 * Returns the bytes of an archive, part by part. All times are 0, so the same entries give the same bytes.
 *
 * @throws RangeError for a path or a file that the format cannot hold.
 */
export async function* tarOf(entries: Iterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    const size = sizeOf(entry)
    yield headerOf(entry, size)
    if (entry.content) yield* bytesOf(entry.content)
    yield Buffer.alloc(tarPadding(size))
  }
  yield Buffer.alloc(2 * tarBlock)
}

/** Returns the whole of a file, as content of an entry. */
export async function wholeFile(file: string): Promise<FilePart> {
  return { file, at: 0, size: (await stat(file)).size }
}

/** Returns the bytes of a content. */
export async function* bytesOf(content: Uint8Array | FilePart): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  // A stream of no bytes would read the whole file.
  else if (content.size > 0) {
    const { file, at, size } = content
    yield* createReadStream(file, { start: at, end: at + size - 1 }) as AsyncIterable<Buffer>
  }
}

function sizeOf({ content }: TarEntry): number {
  if (content === null) return 0
  return content instanceof Uint8Array ? content.length : content.size
}

function headerOf({ path, mode, owner = 0, content }: TarEntry, size: number): Buffer {
  const name = content === null ? `${path}/` : path
  if (Buffer.byteLength(name) > 100 || size > mostBytes)
    throw new RangeError(`${name} with ${size} bytes does not fit into a tar archive`)
  const header = Buffer.alloc(tarBlock)
  const octal = (value: number, at: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, "0"), at, "latin1")
  header.write(name, 0)
  octal(mode, 100, 7)
  octal(owner, 108, 7)
  octal(owner, 116, 7)
  octal(size, 124, 11)
  octal(0, 136, 11)
  header.write(content === null ? "5" : "0", 156)
  header.write("ustar\u000000", 257)
  // The checksum counts its own field as blanks.
  header.write("        ", 148)
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  )
  header[154] = 0
  return header
}

/** Returns where each file of an archive is, by its path in it. Returns null for a file that is not a tar archive. */
export async function readTar(path: string): Promise<Map<string, FilePart> | null> {
  // Opening a named pipe would wait without end.
  if (!(await stat(path)).isFile()) return null
  const file = await open(path, "r")
  try {
    return await filesIn(file, path)
  } finally {
    await file.close()
  }
}

async function filesIn(file: FileHandle, path: string): Promise<Map<string, FilePart> | null> {
  const { size: whole } = await file.stat()
  const found = new Map<string, FilePart>()
  const header = Buffer.alloc(tarBlock)
  for (let at = 0; at + tarBlock <= whole; ) {
    await file.read(header, 0, tarBlock, at)
    if (header.every((byte) => byte === 0)) break
    if (header.toString("latin1", 257, 262) !== "ustar") return null
    const { path: name, size, isFile } = readTarHeader(header)
    if (!Number.isSafeInteger(size)) return null
    at += tarBlock
    if (isFile) found.set(name.replace(/^\.\//, ""), { file: path, at, size })
    at += size + tarPadding(size)
  }
  return found.size > 0 ? found : null
}
