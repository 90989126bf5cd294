/** What an engine of files does: the interface between its rules, which are the same for all, and where bytes are. */

import type { ByteRange } from "../static/range.ts"
import type { Bytes } from "../static/serve-static.ts"
import type { FileEntry, StoredFile, UploadForm, UploadFormOptions } from "./types.ts"

/** Bytes to store. */
export type Source = Uint8Array | ReadableStream<Uint8Array>

/** What is stored with a file. */
export interface Description {
  readonly type: string
  readonly cacheControl: string | undefined
}

/** A file that was opened. */
export interface EngineFile {
  /** About the whole file. */
  readonly file: StoredFile
  readonly body: Bytes | ReadableStream<Uint8Array>
}

/**
 * An engine. Names are valid already, and so are options. What it throws becomes an FwError `files_unavailable`, except
 * other FwErrors.
 */
export interface FilesEngine {
  /** For messages: `S3`. */
  readonly name: string
  /** Returns the number of bytes. The file appears when they are all stored. */
  put(name: string, source: Source, description: Description): Promise<number>
  head(name: string): Promise<StoredFile | null>
  /** Opens a file, or a range of it that exists. */
  get(name: string, range: ByteRange | undefined): Promise<EngineFile | null>
  /** Lists names that begin with `prefix` and come after `after`, in their order. */
  list(prefix: string, after: string, limit: number): Promise<{ files: FileEntry[]; isWhole: boolean }>
  delete(name: string): Promise<void>
  /** Copies a file; false if there is none. Default: it is read and stored. */
  copy?(from: string, to: string): Promise<boolean>
  /** Returns an address for some seconds. Default: one of the program. @param disposition the `Content-Disposition` of the answer. */
  url?(name: string, seconds: number, disposition: string | undefined): Promise<string>
  /** Returns a form for some seconds. Default: one of the program. */
  form?(name: string, seconds: number, type: string, options: UploadFormOptions): Promise<UploadForm>
}
