/** The public interface of `fw/files`, which is the same for all engines. */

/**
 * The bytes of a file, or a stream of them. A stream is read only as fast as it can be stored.
 *
 * @example
 * const body: FileBody = new TextEncoder().encode("hello")
 * await memoryFiles().put("greeting.txt", body) // → 5
 */
export type FileBody = string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>

/**
 * A file in a list.
 *
 * @example
 * const name = (file: FileEntry) => `${file.name} (${file.size} bytes)`
 */
export interface FileEntry {
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** The time at which it was stored. S3 has whole seconds only. */
  readonly modified: Date
  /** A tag that changes with the content, without quotes. */
  readonly etag: string
}

/**
 * What is stored about a file.
 *
 * @example
 * const isPicture = (file: StoredFile) => file.type.startsWith("image/")
 */
export interface StoredFile extends FileEntry {
  /** The media type. */
  readonly type: string
  /** The `Cache-Control` that was stored with the file. */
  readonly cacheControl?: string | undefined
}

/**
 * A file with its content, which can be read once.
 *
 * @example
 * const files = memoryFiles()
 * await files.put("greeting.txt", "hello")
 * const file: FileContent | null = await files.get("greeting.txt")
 * await file?.text() // → "hello"
 */
export interface FileContent extends StoredFile {
  /** The bytes, as they arrive. Cancel the stream if you do not read it to its end. */
  readonly body: ReadableStream<Uint8Array>
  /** Reads the whole file as bytes. */
  bytes(): Promise<Uint8Array>
  /** Reads the whole file as UTF-8 text. */
  text(): Promise<string>
}

/**
 * The options of `files.put()`.
 *
 * @example
 * const options: PutOptions = { type: "image/png", cacheControl: "public, max-age=31536000, immutable" }
 */
export interface PutOptions {
  /**
   * The media type. Default: the type of a Blob, or the type that the ending of the name stands for, otherwise
   * `application/octet-stream`.
   */
  readonly type?: string | undefined
  /**
   * The `Cache-Control` for answers with the file. Default: none is stored, and `c.file()` sends `private, no-cache`.
   */
  readonly cacheControl?: string | undefined
}

/**
 * The options of `files.get()`.
 *
 * @example
 * const firstKilobyte: GetOptions = { range: { start: 0, end: 1023 } }
 */
export interface GetOptions {
  /** The bytes from `start` to `end`, both included. Without `end`, to the last byte. Default: all bytes. */
  readonly range?: { readonly start: number; readonly end?: number }
}

/**
 * The options of `files.list()`.
 *
 * @example
 * const options: ListOptions = { prefix: "photos/", limit: 50 }
 */
export interface ListOptions {
  /** The beginning of the names to list. Default: `""`, for all names. */
  readonly prefix?: string
  /** The `cursor` of the previous page. Default: the list begins with the first file. */
  readonly cursor?: string | undefined
  /** Maximum number of files, at most 1000. Default: 1000. */
  readonly limit?: number
}

/**
 * A page of a list, ordered by name.
 *
 * @example
 * const names = ({ files }: FileList) => files.map(({ name }) => name)
 */
export interface FileList {
  readonly files: readonly FileEntry[]
  /** Pass it as an option of the next call to continue the list. Undefined on the last page. */
  readonly cursor: string | undefined
}

/**
 * The options of `files.url()`.
 *
 * @example
 * const options: URLOptions = { expires: 300, download: "Invoice 7.pdf" }
 */
export interface URLOptions {
  /** Seconds for which the address is valid, at most a week. Default: 3600. */
  readonly expires?: number
  /**
   * True to make browsers save the file under its own name, a text to make them save it under that name, and false to
   * let them show it. Default: true for names of HTML, SVG and other XML, because they can contain scripts and anyone
   * may have written them; false for all other files.
   */
  readonly download?: boolean | string
}

/**
 * The options of `files.form()`.
 *
 * @example
 * const options: UploadFormOptions = { maxSize: 5_000_000, type: "image/png" }
 */
export interface UploadFormOptions {
  /** Maximum number of bytes. */
  readonly maxSize: number
  /** The media type that is stored with the file. Default: the type that the ending of the name stands for. */
  readonly type?: string
  /** Seconds for which the form is valid, at most a week. Default: 3600. */
  readonly expires?: number
  /**
   * A URL to which the browser is redirected when the file is stored; with S3 it must be absolute. Default: none; the
   * answer is a 204.
   */
  readonly redirect?: string
}

/**
 * What a page needs for a form that sends one file: these hidden fields, and after them an `<input type="file"
 * name="file">`.
 *
 * @example
 * const write = ({ fields }: UploadForm) => Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
 */
export interface UploadForm {
  /** The `action` of the form. The form has `method="post" enctype="multipart/form-data"`. */
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Files by name, on a disk, in memory, or in a bucket of S3 or R2. A name consists of segments with slashes between
 * them, such as `photos/7.png`. It must be valid in every engine: see `docs/reference/files.md`.
 *
 * All calls throw an FwError `files` for a name or an option that is not valid, and `files_unavailable` if the engine
 * fails. If a handler throws `files_unavailable`, the client gets a 503.
 *
 * @example
 * const files: Files = memoryFiles()
 * await files.put("notes/1.txt", "Buy milk")
 * const { files: entries } = await files.list({ prefix: "notes/" })
 * entries.map(({ name }) => name) // → ["notes/1.txt"]
 */
export interface Files {
  /**
   * Stores a file, which appears once it is complete. It replaces a file with the same name. @returns its size in
   * bytes.
   */
  put(name: string, body: FileBody, options?: PutOptions): Promise<number>
  /** Reads a file; null if there is none. @throws HttpError 416 for a range that starts after its end. */
  get(name: string, options?: GetOptions): Promise<FileContent | null>
  /** Returns what is known about a file; null if there is none. */
  head(name: string): Promise<StoredFile | null>
  /** Lists the files whose names begin with `prefix`. */
  list(options?: ListOptions): Promise<FileList>
  /** Deletes a file. Does nothing if it does not exist. */
  delete(name: string): Promise<void>
  /** Copies a file with its type. @returns false if it does not exist. */
  copy(from: string, to: string): Promise<boolean>
  /**
   * Returns an address at which anyone can read the file for some time. With S3 it is an address of the bucket.
   * Otherwise it begins with the option `path`, and `serveFiles()` answers there.
   */
  url(name: string, options?: URLOptions): Promise<string>
  /**
   * Returns a form with which a browser can store one file under this name. Its address is made as that of {@link url}.
   */
  form(name: string, options: UploadFormOptions): Promise<UploadForm>
}
