/** Static files in a directory on disk. */
import * as fs from "node:fs"
import { join, resolve, sep } from "node:path"
import type { UnderlyingSource } from "node:stream/web"
import { forbidden } from "../../lib/errors.ts"
import { isFileName, reservedWindowsName } from "../../lib/static/file-names.ts"
import { type Bytes, chunkBytes, type FileSource, maxWholeBytes, type OpenFile } from "../../lib/static/serve-static.ts"
import { findRealDirectory, isMissingFileError } from "./real-directory.ts"

/** Opening a FIFO or a device must not wait for its other end, nor take over the terminal. */
const openFlags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0)

/** The year 1990. Reproducible archives give all their files one fixed time before it (npm: 1985, Nix: 1970). */
const oldestReliableTimeMs = 631_152_000_000

/**
 * Returns the files of a directory; null if it does not exist. Its real path is determined once, here; files
 * outside it, also behind a symbolic link, do not exist.
 */
export function createFileSource(dir: string, platform: NodeJS.Platform = process.platform): DiskFileSource | null {
  const root = findRealDirectory(resolve(dir))
  if (root === null) return null
  return {
    async open(segments) {
      if (!segments.every(isFileName)) return null
      if (platform === "win32" && segments.some((segment) => reservedWindowsName.test(segment))) return null
      return openWithin(root, join(root, ...segments), platform)
    },
    list: () => listFiles(root),
  }
}

/** Returns the files of a directory that may be created later. Until then it has none. */
export function createLaterFileSource(dir: string): DiskFileSource {
  let source: DiskFileSource | null = null
  return {
    async open(segments) {
      source ??= createFileSource(dir)
      return source?.open(segments) ?? null
    },
    list() {
      source ??= createFileSource(dir)
      return source?.list() ?? []
    },
  }
}

/** Returns the paths of the files below a directory, with slashes between their names. */
export function listFiles(root: string): string[] {
  return fs.readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return listFiles(join(root, entry.name)).map((path) => `${entry.name}/${path}`)
    return entry.isFile() ? [entry.name] : []
  })
}

/**
 * Opens a file first and checks its location afterwards, because the path could change between a check and
 * the opening.
 */
async function openWithin(
  root: string,
  path: string,
  platform: NodeJS.Platform,
): Promise<DiskFile | "directory" | null> {
  const fd = await openPath(path)
  if (fd === null) return null
  let isKept = false
  try {
    // The inode is in memory by now, so neither call waits for a disk.
    const stats = fs.fstatSync(fd)
    if (!stats.isFile() && !stats.isDirectory()) return null
    const real = await findRealPath(fd, path, platform)
    if (real !== root && !real?.startsWith(root.endsWith(sep) ? root : root + sep)) return null
    if (stats.isDirectory()) return "directory"
    isKept = true
    return new DiskFile(fd, path, stats)
  } finally {
    if (!isKept) fs.closeSync(fd)
  }
}

function openPath(path: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    fs.open(path, openFlags, (error, fd) => {
      if (!error) resolve(fd)
      else if (isMissingFileError(error)) resolve(null)
      else if (error.code === "EACCES" || error.code === "EPERM") {
        reject(forbidden("this file may not be read", { cause: error }))
      } else reject(error)
    })
  })
}

/** Returns the real location of an open file; null if it cannot be determined. */
async function findRealPath(fd: number, path: string, platform: NodeJS.Platform): Promise<string | null> {
  if (platform === "linux") {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      // There is no /proc here; the slower way follows.
    }
  }
  try {
    const real = await fs.promises.realpath(path)
    const realStats = await fs.promises.stat(real, { bigint: true })
    const openStats = fs.fstatSync(fd, { bigint: true })
    return realStats.ino === openStats.ino && realStats.dev === openStats.dev ? real : null
  } catch {
    return null
  }
}

/** A directory on disk. */
export interface DiskFileSource extends FileSource {
  open(segments: readonly string[]): Promise<DiskFile | "directory" | null>
}

/** An open file on disk. */
export class DiskFile implements OpenFile {
  /** Number of the file, which is another one when it is replaced. */
  readonly inode: number
  readonly size: number
  readonly modified: number
  readonly tag?: string
  readonly #path: string
  readonly #stats: fs.Stats
  #fd: number | null

  constructor(fd: number, path: string, stats: fs.Stats) {
    this.#fd = fd
    this.#path = path
    this.#stats = stats
    this.inode = stats.ino
    this.size = stats.size
    this.modified = stats.mtimeMs
    // Different content with the same time stamp must not have the same tag, so the inode's change time is
    // added.
    if (stats.mtimeMs < oldestReliableTimeMs) this.tag = `${stats.size}-${Math.round(stats.ctimeMs * 1000)}`
  }

  async close(): Promise<void> {
    if (this.#fd !== null) fs.closeSync(this.#fd)
    this.#fd = null
  }

  async read(start: number, end: number): Promise<Bytes | ReadableStream<Bytes>> {
    const length = end - start + 1
    if (length > maxWholeBytes) {
      // A stream that nobody reads, because a middleware answered instead, must not hold a descriptor. So the file is
      // opened again on the first read.
      await this.close()
      const parts = { open: () => this.#reopen(), check: (fd: number) => this.#checkWritten(fd) }
      return new ReadableStream(new ChunkSource(parts, this.#path, start, end), { highWaterMark: 0 })
    }
    if (this.#fd === null) throw new Error(`${this.#path} is closed`)
    try {
      return await readWhole(this.#fd, this.#path, start, length)
    } finally {
      await this.close()
    }
  }

  /** Opens the file again, and checks that it is the one whose size and time were announced. */
  async #reopen(): Promise<number> {
    const fd = await openPath(this.#path)
    if (fd === null) throw new Error(`${this.#path} vanished while it was served`)
    const { dev, ino, size, mtimeMs } = fs.fstatSync(fd)
    const was = this.#stats
    if (dev === was.dev && ino === was.ino && size === was.size && mtimeMs === was.mtimeMs) return fd
    fs.closeSync(fd)
    throw createChangedFileError(this.#path)
  }

  /**
   * Throws if the file was overwritten in place since it was opened. A file that only grew is fine: its bytes up to the
   * announced end are the same.
   */
  #checkWritten(fd: number): void {
    const { size, mtimeMs } = fs.fstatSync(fd)
    if (size === this.#stats.size && mtimeMs !== this.#stats.mtimeMs) throw createChangedFileError(this.#path)
  }
}

const createChangedFileError = (path: string) => new Error(`${path} changed while it was served`)

/** The file of a stream. */
interface StreamedFile {
  open(): Promise<number>
  /** Called with its descriptor before the last chunk is passed on. @throws Error if the chunks are not of one file. */
  check(fd: number): void
}

/** A range of a file as the source of a stream, read a chunk at a time on demand. */
class ChunkSource implements UnderlyingSource<Bytes> {
  readonly #file: StreamedFile
  readonly #path: string
  readonly #end: number
  #position: number
  #fd: number | null = null
  #pendingRead: Promise<void> = Promise.resolve()
  #isCancelled = false

  constructor(file: StreamedFile, path: string, start: number, end: number) {
    this.#file = file
    this.#path = path
    this.#position = start
    this.#end = end
  }

  pull(controller: ReadableStreamDefaultController<Bytes>): Promise<void> {
    const pulled = this.#next(controller)
    this.#pendingRead = pulled.catch(() => {})
    return pulled
  }

  /** Waits for the current read, because a descriptor closed during it could belong to another file. */
  async cancel(): Promise<void> {
    this.#isCancelled = true
    await this.#pendingRead
    this.#close()
  }

  async #next(controller: ReadableStreamDefaultController<Bytes>): Promise<void> {
    try {
      this.#fd ??= await this.#file.open()
      const length = Math.min(chunkBytes, this.#end + 1 - this.#position)
      const bytes = await readWhole(this.#fd, this.#path, this.#position, length)
      this.#position += length
      if (this.#isCancelled) return
      const isLast = this.#position > this.#end
      if (isLast) this.#file.check(this.#fd)
      controller.enqueue(bytes)
      if (!isLast) return
      this.#close()
      controller.close()
    } catch (error) {
      this.#close()
      throw error
    }
  }

  #close(): void {
    if (this.#fd !== null) fs.closeSync(this.#fd)
    this.#fd = null
  }
}

/** Reads exactly this many bytes: the length was announced, and the client would wait for missing ones. */
async function readWhole(fd: number, path: string, position: number, length: number): Promise<Bytes> {
  const buffer = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const count = await readSome(fd, buffer, filled, position + filled)
    if (count === 0) throw new Error(`${path} became shorter while it was served`)
    filled += count
  }
  return buffer
}

function readSome(fd: number, buffer: Buffer, offset: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(fd, buffer, offset, buffer.length - offset, position, (error, count) => {
      if (error) reject(error)
      else resolve(count)
    })
  })
}
