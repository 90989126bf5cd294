/** Serves files of a source, with conditional requests, ranges and encodings. */

import { HttpError } from "../errors.ts"
import { createRelativeReference, hasSameEnd } from "../path.ts"
import { type FileCoding, listAcceptedCodings } from "../request/accept-encoding.ts"
import { readDate } from "../request/header-grammar.ts"
import { isFileName } from "./file-names.ts"
import { findMediaType, isPackedType } from "./media-types.ts"
import { evaluatePreconditions, isRangeValid } from "./preconditions.ts"
import { type ByteRange, readRange } from "./range.ts"

/**
 * Bytes that do not share their memory. The type parameter of `Uint8Array` is not written, because TypeScript before
 * 5.7 does not know it.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>

/** Maximum size of a part that is read as a whole. A larger part is read as a stream of chunks. */
export const maxWholeBytes = 64 * 1024

/** Size of a chunk in bytes. */
export const chunkBytes = 128 * 1024

/** What a source knows about a file. */
export interface FileInfo {
  /** The size in bytes. */
  readonly size: number
  /** The time of the last change, in milliseconds since 1970, possibly with a fraction; 0 if unknown. */
  readonly modified: number
  /**
   * A text that identifies the content, such as a hash, in letters, digits and dashes. Without it, the ETag is made of
   * size and time.
   */
  readonly tag?: string
  /** The media type. Default: by the ending of the name. */
  readonly type?: string
  /** The `Cache-Control` of answers with the file. Default: `no-cache`. */
  readonly cacheControl?: string | undefined
}

/**
 * An open file. Call `close()` or `read()`, but only one of them and only once. `read()` closes the file at the end, on
 * an error, and when the stream is cancelled.
 */
export interface OpenFile extends FileInfo {
  /**
   * Reads the bytes from `start` to `end`, both included: a small part as bytes, a large part as a stream. If the file
   * has become shorter, this fails and never returns fewer bytes.
   */
  read(start: number, end: number): Promise<Bytes | ReadableStream<Bytes>>
  close(): Promise<void>
}

/** A directory of files, on disk or embedded in a program. Names are decoded segments below the directory. */
export interface FileSource {
  /**
   * Opens a file. Returns `"directory"` for a directory, and null for a name that does not exist, is not a regular
   * file, or is outside of the source.
   */
  open(segments: readonly string[]): Promise<OpenFile | "directory" | null>
  /** Lists the paths of all files, with slashes between the segments. */
  list(): string[]
}

/** What static files need to know about a request. */
export interface StaticRequest {
  readonly method: string
  /** The canonical path, with the prefix and the trailing slash. */
  readonly path: string
  /** The query with its `?`, or `""`. */
  readonly search: string
  /**
   * The path that the client requested, if a proxy has rewritten it or an outer app has removed a prefix. Default:
   * `path`.
   */
  readonly originalPath?: string
  /** True if the path must be a file. The index of a directory is then no answer. */
  readonly isFile?: boolean
  /** Returns a header by its name in lower case; `""` if missing. */
  header(name: string): string
  /**
   * Returns a header that the program has set for the answer, by its name in lower case; `""` if there is none.
   * Conditions of the request are compared with an `ETag` or `Last-Modified` that the program has set.
   */
  getOwnHeader?(name: string): string
  /** Bindings of the runtime, if there are any. A platform may find its files in them. */
  readonly env?: object | undefined
}

/**
 * Options of `app.static()`.
 *
 * @example
 * const options: StaticOptions = { embed: false }
 * app.static("/uploads", "data/uploads", options)
 */
export interface StaticOptions {
  /**
   * `false` for a directory that changes while the program runs, for example by uploads. `fw build` then leaves it out,
   * the program reads it from the disk, and it need not exist at the start. Default: `true`.
   */
  readonly embed?: boolean
  /**
   * A file of the directory, such as `index.html`, that answers for paths without a file. It is for single-page
   * applications, which read the address in the browser. Only GET and HEAD of clients that accept HTML get it; browsers
   * do that when they open a page. Default: none.
   */
  readonly fallback?: string
  /**
   * Seconds for which browsers and other caches use a file without asking the server. Default: none; then they ask
   * every time, and get a 304 if the file has not changed.
   */
  readonly maxAge?: number
  /**
   * True if the files never change, because their names contain a version or a hash. Browsers then do not ask for them
   * even if a page is loaded again. Without `maxAge`, this is valid for a year. Default: false.
   */
  readonly immutable?: boolean
}

/** A response as plain data. */
export interface StaticAnswer {
  readonly status: number
  /** The headers, with names in lower case. */
  readonly headers: Record<string, string>
  readonly body: Bytes | ReadableStream<Bytes> | null
}

/**
 * Answers GET and HEAD with a file of one directory; null if there is no such file. The platform creates it, so that a
 * program without static files does not include this code.
 */
export interface StaticHandler {
  (segments: readonly string[], request: StaticRequest): Promise<StaticAnswer | null>
  /** Lists the files. Missing on a platform that cannot list them. */
  readonly list?: () => string[]
}

/**
 * Finds the static files of a directory; null if the directory does not exist.
 *
 * @param embed `false` for a directory that is never part of a build. It is read from the disk, and may be created
 * later.
 */
export type FindFiles = (dir: string, embed?: boolean) => StaticHandler | null

/** A file to answer with, the values for its conditions, and the headers that every answer about it has. */
interface Representation {
  readonly file: OpenFile
  readonly type: string
  readonly coding: FileCoding
  readonly etag: string
  /** The time of the last change in milliseconds, rounded down to a whole second; NaN if unknown. */
  readonly modifiedMs: number
  readonly headers: Record<string, string>
}

const siblingEndings = { br: ".br", gzip: ".gz" } as const

/**
 * Answers GET and HEAD with a file of a source. Returns null if there is no such file, so that the app continues.
 *
 * @param segments the decoded segments after the prefix of the directory.
 * @throws HttpError 406, 412 or 416.
 */
export async function serveStatic(
  source: FileSource,
  segments: readonly string[],
  request: StaticRequest,
  now: () => number = Date.now,
): Promise<StaticAnswer | null> {
  if (request.method !== "GET" && request.method !== "HEAD") return null
  if (!segments.every(isFileName)) return null
  // If a proxy has rewritten the request to a directory, the client has no URL to be redirected to.
  const { path, originalPath = path } = request
  const isRewritten = !hasSameEnd(path, originalPath)
  const isDirectory = path.endsWith("/")
  const names = isDirectory ? [...segments, "index.html"] : segments
  const file = await source.open(names)
  if (file === "directory") {
    if (isDirectory || request.isFile) return null
    if (isRewritten) return serveStatic(source, segments, { ...request, path: `${path}/` }, now)
    return redirectToIndex(source, segments, request)
  }
  if (file === null) return null
  const representation = await chooseRepresentation(source, file, names, request, now())
  return answerRepresentation(representation, request)
}

/** Returns the handler for a source. */
export function createStaticHandler(source: FileSource): StaticHandler {
  const answer: StaticHandler = (segments, request) => serveStatic(source, segments, request)
  return Object.assign(answer, { list: () => source.list() })
}

/**
 * Redirects a directory to its URL with a slash at the end. Without the slash, the relative links in its index would be
 * wrong.
 */
async function redirectToIndex(
  source: FileSource,
  segments: readonly string[],
  { path, search }: StaticRequest,
): Promise<StaticAnswer | null> {
  const index = await source.open([...segments, "index.html"])
  if (index === null || index === "directory") return null
  await index.close()
  const location = createRelativeReference(path, `${path}/`) + search
  return { status: 308, headers: { location, "cache-control": "no-cache" }, body: null }
}

/** Chooses the file itself or a compressed file next to it, by the encodings that the client accepts. */
async function chooseRepresentation(
  source: FileSource,
  original: OpenFile,
  names: readonly string[],
  request: StaticRequest,
  now: number,
): Promise<Representation> {
  const name = names[names.length - 1] as string
  const type = original.type ?? findMediaType(name)
  const isCompressible = !isPackedType(type)
  const codings = listAcceptedCodings(request.header("accept-encoding"))
  const { getOwnHeader = () => "" } = request
  try {
    for (const coding of codings) {
      if (coding === "identity") return createRepresentation(original, type, coding, isCompressible, now, getOwnHeader)
      if (!isCompressible) continue
      const sibling = await source.open([...names.slice(0, -1), name + siblingEndings[coding]])
      if (sibling === null || sibling === "directory") continue
      await original.close()
      return createRepresentation(sibling, type, coding, isCompressible, now, getOwnHeader)
    }
  } catch (error) {
    await original.close()
    throw error
  }
  await original.close()
  throw new HttpError(406, "no encoding of this file is acceptable", {
    code: "not_acceptable",
    headers: { vary: "Accept-Encoding" },
  })
}

/**
 * Returns a file with its headers.
 *
 * Every file that may have a compressed file next to it gets `Vary`, even if it has none today, because a cache must
 * not keep one encoding for all clients (§12.5.5). The tag is strong: file systems record changes to the millisecond or
 * finer, and with a weak tag `If-Range` would never match. `no-cache` makes caches ask before each use. Without it they
 * would guess, and might serve old files for a day after a deployment (RFC 9111 §4.2.2).
 *
 * A tag or a date that the program has set replaces that of the file, because clients get it and send it back in
 * conditional requests. Two encodings must not share a strong tag (RFC 9110 §8.8.3.3).
 */
function createRepresentation(
  file: OpenFile,
  type: string,
  coding: FileCoding,
  varies: boolean,
  now: number,
  getOwnHeader: (name: string) => string,
): Representation {
  const tag = getOwnHeader("etag") || `"${getTag(file)}"`
  const etag = coding === "identity" ? tag : tag.replace(/"$/, `-${coding}"`)
  const headers: Record<string, string> = { "cache-control": file.cacheControl ?? "no-cache", etag }
  if (varies) headers.vary = "Accept-Encoding"
  return { file, type, coding, etag, modifiedMs: findModifiedTime(file, now, getOwnHeader("last-modified")), headers }
}

/** Returns the ETag of a file, without quotes. */
export function getTag({ tag, size, modified }: FileInfo): string {
  return tag ?? `${size.toString(36)}-${Math.round(modified * 1000).toString(36)}`
}

/** Returns the time of the last change as a whole number of seconds, in milliseconds; NaN if it is not known. */
function findModifiedTime(file: OpenFile, now: number, ownDate: string): number {
  if (ownDate !== "") return readDate(ownDate)
  // The date must not be later than that of the response (RFC 9110 §8.8.2.1).
  const seconds = Math.floor(Math.min(file.modified, now) / 1000)
  return seconds > 0 ? seconds * 1000 : Number.NaN
}

/** Answers a request in the order of RFC 9110 §13.2.2. The file is closed, unless it is the body. */
async function answerRepresentation(representation: Representation, request: StaticRequest): Promise<StaticAnswer> {
  const { file, headers } = representation
  const failedCondition = evaluatePreconditions(request.header, representation)
  // A 304 has only the tag and the headers for caches (§15.4.5).
  if (failedCondition === 304) return await closeAndReturn(file, { status: 304, headers, body: null })
  if (failedCondition)
    return await closeAndFail(representation, 412, "the file does not match the condition of the request")
  const range = findRange(representation, request)
  if (range === "unsatisfiable")
    return await closeAndFail(representation, 416, "the range starts after the end of the file")
  addBodyHeaders(representation, range)
  const status = range ? 206 : 200
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  if (request.method === "HEAD" || file.size === 0) return await closeAndReturn(file, { status, headers, body: null })
  return { status, headers, body: await file.read(start, end) }
}

async function closeAndReturn(file: OpenFile, result: StaticAnswer): Promise<StaticAnswer> {
  await file.close()
  return result
}

async function closeAndFail({ file, headers }: Representation, status: 412 | 416, message: string): Promise<never> {
  await file.close()
  // The tag identifies the file, and not the body of this error.
  const { etag: _, ...rest }: Record<string, string> = { ...headers, "cache-control": "no-cache" }
  if (status === 416) rest["content-range"] = `bytes */${file.size}`
  throw new HttpError(status, message, { headers: rest })
}

/** Returns the requested range. Ranges are defined for GET only (§14.2). */
function findRange(representation: Representation, request: StaticRequest): ByteRange | "unsatisfiable" | null {
  const header = request.method === "GET" ? request.header("range") : ""
  if (header === "" || !isRangeValid(request.header, representation)) return null
  return readRange(header, representation.file.size)
}

/** Adds the headers that describe the body. */
function addBodyHeaders({ file, type, coding, modifiedMs, headers }: Representation, range: ByteRange | null): void {
  headers["content-type"] = type
  headers["content-length"] = String(range ? range.end - range.start + 1 : file.size)
  headers["accept-ranges"] = "bytes"
  headers["x-content-type-options"] = "nosniff"
  if (!Number.isNaN(modifiedMs)) headers["last-modified"] = new Date(modifiedMs).toUTCString()
  if (coding !== "identity") headers["content-encoding"] = coding
  if (range) headers["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`
}
