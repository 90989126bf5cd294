/** What programs call to keep files: the interface of all engines. */

/**
 * The bytes of a file: whole, or a stream, which is read at the pace at which it is stored.
 *
 * @example
 * const body: FileBody = new TextEncoder().encode("hello")
 * await memoryFiles().put("greeting.txt", body) // → 5
 */
export type FileBody = string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>

/**
 * What a list says about a file.
 *
 * @example
 * const name = (file: FileEntry) => `${file.name} (${file.size} bytes)`
 */
export interface FileEntry {
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** When it was stored. S3 knows whole seconds. */
  readonly modified: Date
  /** Changes with the content. Without quotes. */
  readonly etag: string
}

/**
 * What is known about a file.
 *
 * @example
 * const isPicture = (file: StoredFile) => file.type.startsWith("image/")
 */
export interface StoredFile extends FileEntry {
  /** The media type. */
  readonly type: string
  /** The `Cache-Control` with which it was stored. */
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
  /** The bytes, as they arrive. Cancel a stream that is not read to its end. */
  readonly body: ReadableStream<Uint8Array>
  /** All of it as bytes. */
  bytes(): Promise<Uint8Array>
  /** All of it as text in UTF-8. */
  text(): Promise<string>
}

/**
 * The options of `files.put()`.
 *
 * @example
 * const options: PutOptions = { type: "image/png", cacheControl: "public, max-age=31536000, immutable" }
 */
export interface PutOptions {
  /** The media type. Default: that of a Blob, or what the ending of the name says, otherwise `application/octet-stream`. */
  readonly type?: string | undefined
  /** The `Cache-Control` of answers with the file. Default: none, and `c.file()` sends `private, no-cache`. */
  readonly cacheControl?: string | undefined
}

/**
 * The options of `files.get()`.
 *
 * @example
 * const firstKilobyte: GetOptions = { range: { start: 0, end: 1023 } }
 */
export interface GetOptions {
  /** The bytes from `start` to `end`, both included. Without `end`, up to the last one. Default: all. */
  readonly range?: { readonly start: number; readonly end?: number }
}

/**
 * The options of `files.list()`.
 *
 * @example
 * const options: ListOptions = { prefix: "photos/", limit: 50 }
 */
export interface ListOptions {
  /** The beginning of the names. Default: `""`, which is all. */
  readonly prefix?: string
  /** The `cursor` of the list before. Default: from the first file on. */
  readonly cursor?: string | undefined
  /** The largest number of files. Default, and at most: 1000. */
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
  /** Continues the list, as an option of the next call. Undefined if there are no more files. */
  readonly cursor: string | undefined
}

/**
 * The options of `files.url()`.
 *
 * @example
 * const options: URLOptions = { expires: 300, download: "Invoice 7.pdf" }
 */
export interface URLOptions {
  /** Seconds for which it works, at most a week. Default: 3600. */
  readonly expires?: number
  /**
   * True to let browsers save the file under its own name, or the name under which they save it. False to show it. Default: false,
   * and true for names that end as HTML, SVG and other XML do, which could run scripts of anyone who wrote the file.
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
  /** The media type that the file gets. Default: what the ending of the name says. */
  readonly type?: string
  /** Seconds for which it works, at most a week. Default: 3600. */
  readonly expires?: number
  /** Where the browser goes when the file is stored: a URL, with S3 an absolute one. Default: nowhere, the answer is a 204. */
  readonly redirect?: string
}

/**
 * What a page needs to send one file: a form with these hidden fields, and after them an `<input type="file" name="file">`.
 *
 * @example
 * const write = ({ fields }: UploadForm) => Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
 */
export interface UploadForm {
  /** The `action` of a form with `method="post" enctype="multipart/form-data"`. */
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

/**
 * Files by name, on the disk, in memory, in a bucket of S3 or R2. Names are segments between slashes, such as
 * `photos/7.png`. They must be valid in every engine: see `docs/reference/files.md`.
 *
 * All calls throw an FwError `files` for a name or an option that is not valid, and `files_unavailable` if the engine
 * fails. A request that ends with the second one is answered with a 503.
 *
 * @example
 * const files: Files = memoryFiles()
 * await files.put("notes/1.txt", "Buy milk")
 * const { files: found } = await files.list({ prefix: "notes/" })
 * found.map(({ name }) => name) // → ["notes/1.txt"]
 */
export interface Files {
  /** Stores a file, which appears once it is complete. One that has the name already is replaced. @returns its size in bytes. */
  put(name: string, body: FileBody, options?: PutOptions): Promise<number>
  /** Reads a file; null if there is none. @throws HttpError 416 for a range that starts after its end. */
  get(name: string, options?: GetOptions): Promise<FileContent | null>
  /** Returns what is known about a file; null if there is none. */
  head(name: string): Promise<StoredFile | null>
  /** Lists files whose names begin with a text. */
  list(options?: ListOptions): Promise<FileList>
  /** Deletes a file. Nothing happens if there is none. */
  delete(name: string): Promise<void>
  /** Copies a file with its type. @returns false if there is none. */
  copy(from: string, to: string): Promise<boolean>
  /**
   * Returns an address at which anyone can read the file for some time. With S3 it is one of the bucket; otherwise it begins
   * with the option `path`, and `serveFiles()` answers there.
   */
  url(name: string, options?: URLOptions): Promise<string>
  /** Returns a form with which a browser can store one file under this name, as {@link url} does. */
  form(name: string, options: UploadFormOptions): Promise<UploadForm>
}
