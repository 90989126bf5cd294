/** Static files: conditional requests, ranges and encodings over a source of files. */

import { HttpError } from "../errors.ts"
import { createRelativeReference, hasSameEnd } from "../path.ts"
import { type FileCoding, listAcceptedCodings } from "../request/accept-encoding.ts"
import { readDate } from "../request/header-grammar.ts"
import { isFileName } from "./file-names.ts"
import { findMediaType, isPackedType } from "./media-types.ts"
import { evaluatePreconditions, isRangeValid } from "./preconditions.ts"
import { type ByteRange, readRange } from "./range.ts"

/**
 * Bytes in their own memory. TypeScript before 5.7 has no type parameter for `Uint8Array`, so it is not
 * written here.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>

/** Up to this many bytes, a part of a file is read at once; a larger one is a stream of chunks. */
export const maxWholeBytes = 64 * 1024

/** Size of a chunk in bytes. */
export const chunkBytes = 128 * 1024

/** A source's facts about a file. */
export interface FileInfo {
  /** In bytes. */
  readonly size: number
  /** Milliseconds since 1970, may be a fraction; 0 if unknown. */
  readonly modified: number
  /**
   * Identifier of the content, such as a hash, of letters, digits and dashes. Without it, size and time form
   * the ETag.
   */
  readonly tag?: string
  /** Media type. Default: by the ending of the name. */
  readonly type?: string
  /** The `Cache-Control` of answers with the file. Default: `no-cache`. */
  readonly cacheControl?: string | undefined
}

/**
 * An open file. Call either `close()` or `read()`, once; reading closes it at its end, on an error and when
 * cancelled.
 */
export interface OpenFile extends FileInfo {
  /**
   * Reads bytes `start` to `end`, both included: a small part as bytes, a large one as a stream. If the file
   * has become shorter, it fails and never returns fewer bytes.
   */
  read(start: number, end: number): Promise<Bytes | ReadableStream<Bytes>>
  close(): Promise<void>
}

/** A directory of files, on disk or embedded. Names are decoded segments below its root. */
export interface FileSource {
  /**
   * Opens a file; `"directory"` for a directory; null for a name that does not exist, is not a regular file,
   * or is outside the root.
   */
  open(segments: readonly string[]): Promise<OpenFile | "directory" | null>
  /** Lists the paths of all files below the root, with slashes between their names. */
  list(): string[]
}

/** The part of a request that static files need. */
export interface StaticRequest {
  readonly method: string
  /** The canonical path, with prefix and trailing slash. */
  readonly path: string
  /** The query with its `?`, or `""`. */
  readonly search: string
  /** The path that the client requested, if a proxy rewrote it or a prefix was removed. Default: `path`. */
  readonly originalPath?: string
  /** True if only a file is wanted, not the index of a directory. */
  readonly isFile?: boolean
  /** Returns a header by its name in lower case; `""` if missing. */
  header(name: string): string
  /**
   * Returns a header that the program has set on the answer, by its name in lower case; `""` if there is none. An `ETag` and a
   * `Last-Modified` of its own are those that conditions are compared with.
   */
  given?(name: string): string
  /** Bindings of the runtime, if there are any; a platform may find its files there. */
  readonly env?: object | undefined
}

/**
 * Options of a directory of static files.
 *
 * @example
 * const options: StaticOptions = { embed: false }
 * app.static("/uploads", "data/uploads", options)
 */
export interface StaticOptions {
  /**
   * `false` for a directory that changes while the program runs, such as one for uploads: `fw build` leaves
   * it out, the program reads it from the disk, and it need not exist at start. Default: `true`.
   */
  readonly embed?: boolean
  /**
   * A file of the directory, such as `index.html`, that answers where there is none: a single-page application, which reads the
   * address in the browser. Only GET and HEAD of clients that accept HTML get it, which browsers do when they open a page. Default:
   * none.
   */
  readonly fallback?: string
  /**
   * Seconds for which browsers and other caches use a file without asking again. Default: none, so that they ask each time, and get a
   * 304 if nothing has changed.
   */
  readonly maxAge?: number
  /**
   * True if the files never change, because their names contain a version or a hash: browsers do not even ask when a page is
   * loaded again. Without `maxAge`, for a year. Default: false.
   */
  readonly immutable?: boolean
}

/** A response as plain data. */
export interface StaticAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Record<string, string>
  readonly body: Bytes | ReadableStream<Bytes> | null
}

/**
 * Answers GET and HEAD from one directory; null if there is no such file. The platform creates it, so that a
 * program without static files does not contain this code.
 */
export interface StaticHandler {
  (segments: readonly string[], request: StaticRequest): Promise<StaticAnswer | null>
  /** As that of a {@link FileSource}. Missing on a platform that cannot list its files. */
  readonly list?: () => string[]
}

/**
 * Finds the files of a directory; null if it does not exist.
 *
 * @param embed `false` for a directory that is never part of a build: it is read from the disk, and may be
 * created later.
 */
export type FindFiles = (dir: string, embed?: boolean) => StaticHandler | null

/** A file for a response, its validators, and the headers that every response about it has. */
interface Representation {
  readonly file: OpenFile
  readonly type: string
  readonly coding: FileCoding
  readonly etag: string
  /** In whole seconds; NaN if unknown. */
  readonly modified: number
  readonly headers: Record<string, string>
}

const siblingEndings = { br: ".br", gzip: ".gz" } as const

/**
 * Answers GET and HEAD from a source of files; null if there is no such file, so that the app continues.
 *
 * @param segments the decoded segments below the mount.
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
  // A request that was rewritten to a directory has no URL to redirect to.
  const { path, originalPath = path } = request
  const isRewritten = !hasSameEnd(path, originalPath)
  const isDirectory = path.endsWith("/")
  const names = isDirectory ? [...segments, "index.html"] : segments
  const found = await source.open(names)
  if (found === "directory") {
    if (isDirectory || request.isFile) return null
    if (isRewritten) return serveStatic(source, segments, { ...request, path: `${path}/` }, now)
    return redirectToIndex(source, segments, request)
  }
  if (found === null) return null
  const chosen = await chooseRepresentation(source, found, names, request, now())
  return answerRepresentation(chosen, request)
}

/** Returns the handler of a source. */
export function createStaticHandler(source: FileSource): StaticHandler {
  const answer: StaticHandler = (segments, request) => serveStatic(source, segments, request)
  return Object.assign(answer, { list: () => source.list() })
}

/**
 * Redirects a directory to its URL with a slash at the end; otherwise the relative links of its index would
 * be wrong.
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

/** Chooses the file or a compressed sibling, by the encodings that the client accepts. */
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
  const { given = () => "" } = request
  try {
    for (const coding of codings) {
      if (coding === "identity") return createRepresentation(original, type, coding, isCompressible, now, given)
      if (!isCompressible) continue
      const sibling = await source.open([...names.slice(0, -1), name + siblingEndings[coding]])
      if (sibling === null || sibling === "directory") continue
      await original.close()
      return createRepresentation(sibling, type, coding, isCompressible, now, given)
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
 * Returns the headers of a file. `Vary` is on every file that may have siblings, even if it has none today, because a
 * cache must not keep one encoding for all clients (§12.5.5). The tag is strong: file systems record changes to the
 * millisecond or finer, and a weak one would make `If-Range` useless. With `no-cache`, caches keep a file but
 * revalidate it each time; without it they would guess, and might serve old files for a day after a deployment (RFC
 * 9111 §4.2.2). A tag or date that the program has set replaces the file's own, because the client got that one. Two
 * encodings must not share a strong tag (RFC 9110 §8.8.3.3).
 */
function createRepresentation(
  file: OpenFile,
  type: string,
  coding: FileCoding,
  varies: boolean,
  now: number,
  given: (name: string) => string,
): Representation {
  const tag = given("etag") || `"${getTag(file)}"`
  const etag = coding === "identity" ? tag : tag.replace(/"$/, `-${coding}"`)
  const headers: Record<string, string> = { "cache-control": file.cacheControl ?? "no-cache", etag }
  if (varies) headers.vary = "Accept-Encoding"
  return { file, type, coding, etag, modified: findModifiedTime(file, now, given("last-modified")), headers }
}

/** Returns the ETag of a file, without quotes. */
export function getTag({ tag, size, modified }: FileInfo): string {
  return tag ?? `${size.toString(36)}-${Math.round(modified * 1000).toString(36)}`
}

/** Returns the time of the last change in milliseconds, in whole seconds; NaN if it is not known. */
function findModifiedTime(file: OpenFile, now: number, given: string): number {
  if (given !== "") return readDate(given)
  // No date may be later than that of the response (RFC 9110 §8.8.2.1).
  const seconds = Math.floor(Math.min(file.modified, now) / 1000)
  return seconds > 0 ? seconds * 1000 : Number.NaN
}

/** Returns the response in the order of RFC 9110 §13.2.2. The file is closed unless it is the body. */
async function answerRepresentation(chosen: Representation, request: StaticRequest): Promise<StaticAnswer> {
  const { file, headers } = chosen
  const failedCondition = evaluatePreconditions(request.header, chosen)
  // §15.4.5: a 304 repeats only the tag and the headers for caches.
  if (failedCondition === 304) return await closeAndReturn(file, { status: 304, headers, body: null })
  if (failedCondition) return await closeAndFail(chosen, 412, "the file does not match the condition of the request")
  const range = findRange(chosen, request)
  if (range === "unsatisfiable") return await closeAndFail(chosen, 416, "the range starts after the end of the file")
  addBodyHeaders(chosen, range)
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
  // The tag belongs to the file, not to the error.
  const { etag: _, ...rest }: Record<string, string> = { ...headers, "cache-control": "no-cache" }
  if (status === 416) rest["content-range"] = `bytes */${file.size}`
  throw new HttpError(status, message, { headers: rest })
}

/** Returns the range. Ranges are defined only for GET (§14.2). */
function findRange(chosen: Representation, request: StaticRequest): ByteRange | "unsatisfiable" | null {
  const header = request.method === "GET" ? request.header("range") : ""
  if (header === "" || !isRangeValid(request.header, chosen)) return null
  return readRange(header, chosen.file.size)
}

/** Adds the headers that describe the body. */
function addBodyHeaders({ file, type, coding, modified, headers }: Representation, range: ByteRange | null): void {
  headers["content-type"] = type
  headers["content-length"] = String(range ? range.end - range.start + 1 : file.size)
  headers["accept-ranges"] = "bytes"
  headers["x-content-type-options"] = "nosniff"
  if (!Number.isNaN(modified)) headers["last-modified"] = new Date(modified).toUTCString()
  if (coding !== "identity") headers["content-encoding"] = coding
  if (range) headers["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`
}
