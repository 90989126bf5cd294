/** Writes and reads tar archives (POSIX.1-2017, pax, "ustar Interchange Format") and npm's tarballs. */
import { closeSync, createReadStream, fstatSync, openSync, readSync } from "node:fs"
import { stat } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { compareByCodeUnit } from "../../lib/order.ts"

/** A range of a file. */
export interface FilePart {
  readonly file: string
  /** Offset of the first byte. */
  readonly at: number
  /** The size in bytes. */
  readonly size: number
}

/** An entry to write. */
export interface TarEntry {
  /** Relative path, with forward slashes. */
  readonly path: string
  readonly mode: number
  /** The id of user and group. Default: 0, which is root. */
  readonly owner?: number
  /** The time of the last change, in seconds since 1970. Default: 0. */
  readonly mtime?: number
  /** The content of the file; null for a directory. */
  readonly content: Uint8Array | FilePart | null
}

/** A file of a package. */
export interface PackageFile {
  /** Path relative to the package, with forward slashes. */
  readonly path: string
  readonly bytes: Uint8Array
  /** True for a program. Default: false. */
  readonly executable?: boolean
}

/** The size of a header, and of the blocks to which files are padded, in bytes. */
const blockBytes = 512
/** The largest size of a file: the field in the header has eleven octal digits. */
const maxEntryBytes = 8 ** 11 - 1
/** The time that npm gives to all files in a package, in seconds. */
const npmTimeSeconds = 499_162_500

/**
 * Returns an archive piece by piece. The same entries always give the same bytes.
 *
 * @throws RangeError for a path or file that the format does not support.
 */
export async function* writeTar(entries: Iterable<TarEntry>): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield encodeHeader(entry)
    if (entry.content) yield* readContent(entry.content)
    yield Buffer.alloc(countPadding(getContentSize(entry)))
  }
  yield Buffer.alloc(2 * blockBytes)
}

/**
 * Returns a gzipped tarball as `npm pack` creates it, with all files below `package/`.
 *
 * @throws RangeError for a path that the format does not support.
 */
export function packTar(files: readonly PackageFile[]): Buffer {
  const sortedFiles = [...files].sort((a, b) => compareByCodeUnit(a.path, b.path))
  const parts = sortedFiles.flatMap(({ path, bytes, executable }) => [
    encodeHeader({
      path: `package/${path}`,
      mode: executable ? 0o755 : 0o644,
      mtime: npmTimeSeconds,
      content: bytes,
    }),
    bytes,
    Buffer.alloc(countPadding(bytes.length)),
  ])
  const tarball = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]), { level: 6 })
  // Sets the operating system to "unknown" (RFC 1952 §2.3.1), so that the bytes are the same everywhere.
  tarball[9] = 255
  return tarball
}

/** Returns a whole file as the content of an entry. */
export async function toFilePart(file: string): Promise<FilePart> {
  return { file, at: 0, size: (await stat(file)).size }
}

/** Returns the bytes of an entry's content. */
export async function* readContent(content: Uint8Array | FilePart): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content
  // A stream with an empty range would read the whole file.
  else if (content.size > 0) {
    const { file, at, size } = content
    yield* createReadStream(file, { start: at, end: at + size - 1 }) as AsyncIterable<Buffer>
  }
}

function getContentSize({ content }: TarEntry): number {
  if (content === null) return 0
  return content instanceof Uint8Array ? content.length : content.size
}

/** Returns how many bytes are between the end of a file and the next header. */
function countPadding(size: number): number {
  return (blockBytes - (size % blockBytes)) % blockBytes
}

function encodeHeader(entry: TarEntry): Buffer {
  const { path, mode, owner = 0, mtime = 0, content } = entry
  const size = getContentSize(entry)
  if (size > maxEntryBytes) throw new RangeError(`${path} with ${size} bytes is too large for a tar archive`)
  const { name, prefix } = splitPath(content === null ? `${path}/` : path)
  const header = Buffer.alloc(blockBytes)
  const writeOctal = (value: number, at: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1")
  header.write(name, 0)
  writeOctal(mode, 100, 8)
  writeOctal(owner, 108, 8)
  writeOctal(owner, 116, 8)
  writeOctal(size, 124, 12)
  writeOctal(mtime, 136, 12)
  // In the checksum, its own field counts as spaces.
  header.write(`        ${content === null ? "5" : "0"}`, 148, "latin1")
  header.write("ustar\x0000", 257, "latin1")
  writeOctal(0, 329, 8)
  writeOctal(0, 337, 8)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return header
}

/** Splits a path into name and prefix. A name can have 100 bytes, and a prefix 155. */
function splitPath(path: string): { name: string; prefix: string } {
  for (let at = -1; ; ) {
    const [prefix, name] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)]
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { name, prefix }
    at = path.indexOf("/", at + 1)
    if (at < 0) throw new RangeError(`the name of ${path} is too long for a tar archive`)
  }
}

/** The fields of a header that are used. */
interface TarHeader {
  readonly path: string
  /** The size in bytes; NaN if the field is not a number. */
  readonly size: number
  /** False for directories, links and extended headers. */
  readonly isFile: boolean
}

function parseHeader(header: Buffer): TarHeader {
  const readText = (from: number, to: number) => header.toString("utf8", from, to).split("\0")[0] as string
  const prefix = readText(345, 500)
  return {
    path: prefix === "" ? readText(0, 100) : `${prefix}/${readText(0, 100)}`,
    size: Number.parseInt(readText(124, 136).trim() || "0", 8),
    isFile: ["", "0"].includes(readText(156, 157)),
  }
}

/**
 * Returns the files of an archive with the offsets of their contents.
 *
 * @throws Error for anything that is not an archive.
 */
function* findFiles(size: number, readBlock: (at: number) => Buffer): Generator<TarHeader & { at: number }> {
  for (let at = 0; at + blockBytes <= size; ) {
    const bytes = readBlock(at)
    if (bytes.every((byte) => byte === 0)) break
    const header = parseHeader(bytes)
    if (bytes.toString("latin1", 257, 262) !== "ustar" || !(header.size >= 0))
      throw new Error("the tar archive is damaged")
    at += blockBytes
    if (header.isFile) yield { ...header, at }
    at += header.size + countPadding(header.size)
  }
}

/** Returns the content of each file in an archive, by its path; null if it is not a tar archive, or has no files. */
export async function indexTar(file: string): Promise<Map<string, FilePart> | null> {
  // Opening a named pipe would wait forever.
  if (!(await stat(file)).isFile()) return null
  const handle = openSync(file, "r")
  try {
    const header = Buffer.alloc(blockBytes)
    const found = findFiles(fstatSync(handle).size, (at) => {
      readSync(handle, header, 0, blockBytes, at)
      return header
    })
    const files = new Map(Array.from(found, ({ path, at, size }) => [path.replace(/^\.\//, ""), { file, at, size }]))
    return files.size > 0 ? files : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error
    return null
  } finally {
    closeSync(handle)
  }
}

/** Returns the bytes of one file in an archive; undefined if there is none. @throws Error for a damaged archive. */
export function findInTar(archive: Buffer, path: string): Buffer | undefined {
  for (const file of findFiles(archive.length, (at) => archive.subarray(at, at + blockBytes)))
    if (file.path === path) return archive.subarray(file.at, file.at + file.size)
  return undefined
}
