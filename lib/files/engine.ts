/** The interface of an engine, which keeps the bytes of files: on a disk, in memory, in S3 or in R2. */

import type { ByteRange } from "../static/range.ts"
import type { Bytes } from "../static/serve-static.ts"
import type { FileEntry, StoredFile, UploadForm, UploadFormOptions } from "./types.ts"

/** Bytes to store. */
export type Source = Uint8Array | ReadableStream<Uint8Array>

/** The headers that are stored with a file. */
export interface Description {
  readonly type: string
  readonly cacheControl: string | undefined
}

/** A file that an engine has opened. */
export interface EngineFile {
  /** Describes the whole file, even if only a range of it was opened. */
  readonly file: StoredFile
  readonly body: Bytes | ReadableStream<Uint8Array>
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
  /**
   * Returns an address that is valid for some seconds. Default: an address of the program. @param disposition the
   * `Content-Disposition` of the answer.
   */
  url?(name: string, seconds: number, disposition: string | undefined): Promise<string>
  /** Returns a form that is valid for some seconds. Default: a form that sends to the program. */
  form?(name: string, seconds: number, type: string, options: UploadFormOptions): Promise<UploadForm>
}
