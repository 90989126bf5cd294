/** The interface of an engine, which keeps the bytes of files: on a disk, in memory, in S3 or in R2. */

import type { ByteRange } from "../static/range.ts"
import type { Bytes } from "../static/serve-static.ts"
import type { FileEntry, StoredFile, UploadForm, UploadFormOptions } from "./types.ts"

/** Bytes to store. They are read only as fast as they can be stored. */
export type Source = AsyncIterable<Uint8Array>

/** The headers that are stored with a file. */
export type Description = Pick<StoredFile, "type" | "cacheControl">

/** A file that an engine has opened. */
export interface EngineFile {
  /** Describes the whole file, even if only a range of it was opened. */
  readonly file: StoredFile
  readonly body: Bytes | ReadableStream<Uint8Array>
}

/** Makes addresses and forms that are valid for some seconds. */
export interface Addresses {
  /** Returns an address at which a file can be read. @param download as the option of `files.url()`. */
  url(name: string, seconds: number, download: boolean | string | undefined): Promise<string>
  /** Returns a form with which a browser can store a file. */
  form(name: string, seconds: number, type: string, options: UploadFormOptions): Promise<UploadForm>
}

/**
 * An engine. Names and options have been checked before. Its errors become an FwError `files_unavailable`, except an
 * FwError or HttpError of its own.
 */
export interface FilesEngine {
  /** The name in messages: `S3`. */
  readonly name: string
  /** Stores a file and returns its number of bytes. The file appears only when all bytes are stored. */
  put(name: string, source: Source, description: Description): Promise<number>
  head(name: string): Promise<StoredFile | null>
  /** Opens a file, or a range of it. The range is inside the file. */
  get(name: string, range: ByteRange | undefined): Promise<EngineFile | null>
  /** Lists the names that begin with `prefix` and come after `after`, sorted. */
  list(prefix: string, after: string, limit: number): Promise<{ files: FileEntry[]; isWhole: boolean }>
  delete(name: string): Promise<void>
  /** Copies a file; false if it does not exist. Default: the file is read and stored again. */
  copy?(from: string, to: string): Promise<boolean>
  /** Default: addresses of the program. */
  readonly addresses?: Addresses
}
