/** Serves static files of a directory on disk. */
import * as fs from "node:fs"
import { join, resolve, sep } from "node:path"
import type { UnderlyingSource } from "node:stream/web"
import { forbidden } from "../../lib/errors.ts"
import { isFileName, reservedWindowsName } from "../../lib/static/file-names.ts"
import { type Bytes, chunkBytes, type FileSource, maxWholeBytes, type OpenFile } from "../../lib/static/serve-static.ts"
import { findRealDirectory, isMissingFileError } from "./real-directory.ts"

/**
 * With these flags, opening a named pipe or a device does not wait for its other end, and does not make a terminal the
 * controlling one.
 */
const openFlags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0)

/** The year 1990. Reproducible archives give all files one time before it (npm: 1985, Nix: 1970). */
const oldestReliableTimeMs = 631_152_000_000

/**
 * Returns the files of a directory; null if the directory does not exist. The real path of the directory is read only
 * here. Files outside of it do not exist, even if a symbolic link leads to them.
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

/** Returns the files of a directory that may not exist yet. Until it is created, it has no files. */
export function createDeferredFileSource(dir: string): DiskFileSource {
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

/** Returns the paths of all files below a directory, with slashes between the segments. */
export function listFiles(root: string): string[] {
  return fs.readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return listFiles(join(root, entry.name)).map((path) => `${entry.name}/${path}`)
    return entry.isFile() ? [entry.name] : []
  })
}

/**
 * Opens a file and then checks where it is. If the check came first, the path could change before the file is opened.
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
    // After the file was opened its inode is in memory, so this call does not wait for a disk.
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

/** Returns the real path of an open file; null if it cannot be determined. */
async function findRealPath(fd: number, path: string, platform: NodeJS.Platform): Promise<string | null> {
  if (platform === "linux") {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      // Without /proc, the code below finds the path in a slower way.
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
  /** The number of the file in the file system. When the file is replaced, the new file has another number. */
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
    // All files of a reproducible archive have the same time. With the time at which the inode was changed, different
    // contents get different tags.
    if (stats.mtimeMs < oldestReliableTimeMs) this.tag = `${stats.size}-${Math.round(stats.ctimeMs * 1000)}`
  }

  async close(): Promise<void> {
    if (this.#fd !== null) fs.closeSync(this.#fd)
    this.#fd = null
  }

  async read(start: number, end: number): Promise<Bytes | ReadableStream<Bytes>> {
    const length = end - start + 1
    if (length > maxWholeBytes) {
      // If a middleware replaces the response, nobody reads the stream. It must not keep a descriptor then, so the file
      // is closed here, and opened again at the first read.
      await this.close()
      const file = { open: () => this.#reopen(), check: (fd: number) => this.#checkUnchanged(fd) }
      return new ReadableStream(new ChunkSource(file, this.#path, start, end), { highWaterMark: 0 })
    }
    if (this.#fd === null) throw new Error(`${this.#path} is closed`)
    try {
      return await readWhole(this.#fd, this.#path, start, length)
    } finally {
      await this.close()
    }
  }

  /** Opens the file again. Checks that it still has the size and the time that the headers state. */
  async #reopen(): Promise<number> {
    const fd = await openPath(this.#path)
    if (fd === null) throw new Error(`${this.#path} vanished while it was served`)
    const { dev, ino, size, mtimeMs } = fs.fstatSync(fd)
    const openStats = this.#stats
    if (dev === openStats.dev && ino === openStats.ino && size === openStats.size && mtimeMs === openStats.mtimeMs)
      return fd
    fs.closeSync(fd)
    throw createChangedFileError(this.#path)
  }

  /**
   * Checks that the file was not overwritten in place after it was opened. If it only became longer, the bytes up to
   * the stated length are still the same.
   */
  #checkUnchanged(fd: number): void {
    const { size, mtimeMs } = fs.fstatSync(fd)
    if (size === this.#stats.size && mtimeMs !== this.#stats.mtimeMs) throw createChangedFileError(this.#path)
  }
}

const createChangedFileError = (path: string) => new Error(`${path} changed while it was served`)

/** A file that a stream reads. */
interface StreamedFile {
  open(): Promise<number>
  /**
   * Called before the last chunk is passed on. @throws Error if the file has changed, so that its chunks do not belong
   * together.
   */
  check(fd: number): void
}

/** Reads a range of a file for a stream, one chunk at a time. */
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
    const promise = this.#readChunk(controller)
    this.#pendingRead = promise.catch(() => {})
    return promise
  }

  /** Waits for the current read. If the file were closed during it, the descriptor could belong to another file. */
  async cancel(): Promise<void> {
    this.#isCancelled = true
    await this.#pendingRead
    this.#close()
  }

  async #readChunk(controller: ReadableStreamDefaultController<Bytes>): Promise<void> {
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

/** Reads exactly this many bytes. The headers state the length, so a client would wait for missing bytes. */
async function readWhole(fd: number, path: string, position: number, length: number): Promise<Bytes> {
  const buffer = Buffer.allocUnsafeSlow(length)
  let filledBytes = 0
  while (filledBytes < length) {
    const count = await readSome(fd, buffer, filledBytes, position + filledBytes)
    if (count === 0) throw new Error(`${path} became shorter while it was served`)
    filledBytes += count
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
