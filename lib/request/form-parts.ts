/**
 * Reads the parts of a multipart form one after the other, as they arrive, for uploads that are too large for memory.
 */
import { platform } from "#platform"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault } from "../errors/fault.ts"
import { type HttpError, payloadTooLarge } from "../errors.ts"
import type { Files } from "../files/types.ts"
import { shortenText } from "../text.ts"
import { allowUnawaited } from "./allow-unawaited.ts"
import { getUnreadBody } from "./body.ts"
import { concatBytes } from "./bytes.ts"
import { refuseCodedBody } from "./content-coding.ts"
import { createFileError, createFileIssue, type FileFacts, type FileMessages } from "./file-problems.ts"
import { checkFileRules, detectType, isAcceptedType, signatureBytes } from "./file-types.ts"
import { readBoundary } from "./form.ts"
import { createWrongTypeError, findFormType, isLargeForm } from "./form-type.ts"
import { decodePartText, Multipart, type PartHead } from "./multipart.ts"

/**
 * Options of `c.parts()`.
 *
 * @example
 * const photos: PartsOptions = { maxFile: 5_000_000, maxParts: 10, types: ["image/jpeg", "image/png"] }
 * app.post("/photos", async (c) => {
 *   for await (const part of c.parts(photos)) await part.save(`/tmp/photo-${crypto.randomUUID()}`)
 *   return c.noContent()
 * })
 */
export interface PartsOptions extends FileMessages {
  /** Maximum number of bytes of one file. Default: the limit of the whole body. */
  readonly maxFile?: number
  /** Maximum number of parts, counting fields and files. Default: the app's `formPartLimit`. */
  readonly maxParts?: number
  /**
   * Accepted types of files, such as `image/png` or `image/*`. A file is recognised by its first bytes, whatever its
   * name and its `Content-Type` say. `image/*` does not accept SVG, which can contain scripts and must be named.
   * Default: all types.
   */
  readonly types?: readonly string[]
}

/**
 * One field or file of a form, while it arrives. It can be read once, and only until the next part is requested.
 *
 * @example
 * app.post("/notes", async (c) => {
 *   const texts: string[] = []
 *   for await (const part of c.parts()) texts.push(await part.text())
 *   return c.json(200, texts)
 * })
 */
export interface Part {
  /** The name of the form's field. */
  readonly name: string
  /**
   * The name that the client gave a file, without directories and control characters; `""` if it gave none. Undefined
   * for a field that is not a file. Do not use it as a path: two people may upload `photo.jpg`.
   */
  readonly filename: string | undefined
  /**
   * The media type. For a file it is the type that the first bytes show, if they are known. Otherwise it is the one
   * that the client sent, or `""`.
   */
  readonly type: string
  /** The bytes, as they arrive. The client can send only as fast as the program reads. */
  readonly body: ReadableStream<Uint8Array>
  /**
   * Reads the whole part as text, in UTF-8 or in the `charset` of its Content-Type. @throws HttpError 413 if the texts
   * and bytes in memory exceed their limit for a request, 400 for bytes that are not valid in the charset.
   */
  text(): Promise<string>
  /**
   * Reads the whole part as bytes. @throws HttpError 413 if the texts and bytes in memory exceed their limit for a
   * request.
   */
  bytes(): Promise<Uint8Array>
  /**
   * Writes the part to a file, which appears once it is complete. It replaces a file with the same name, and creates
   * missing directories.
   *
   * @returns its size in bytes.
   * @throws FwError if the runtime has no disk, and for a path that is not a regular file. Errors of the file system,
   * such as `ENOSPC` for a full disk, are thrown unchanged.
   */
  save(path: string): Promise<number>
  /**
   * Stores the part in `fw/files`, as `files.put()` does. Its type there is the one that its first bytes show, or the
   * one that the ending of `name` stands for. The type that the client claims is not used.
   *
   * @param name a name that the program chooses. Do not use the client's name: two people may upload `photo.jpg`.
   * @returns its size in bytes.
   * @throws FwError `files` for a name that is not valid, `files_unavailable` if the engine fails.
   */
  save(files: Files, name: string): Promise<number>
}

/**
 * Reads the parts of a form, for `c.parts()`.
 *
 * @throws TypeError for options that are not valid, during the call; HttpError 400, 413 and 415 for what the client
 * sent.
 */
export function readFormParts(c: Context, options: PartsOptions = {}): AsyncGenerator<Part, void, undefined> {
  checkFileRules("c.parts()", options, { limits: ["maxFile", "maxParts"], lists: ["types"] })
  const [exchange, { bodyLimit, bufferedLimit = bodyLimit }, settings] = access.getBodyArguments(c)
  const { maxFile = bodyLimit, maxParts = settings.formPartLimit } = options
  // A route with a higher limit, for large uploads, keeps no more in memory than other routes do.
  const maxBufferedBytes = Math.min(bufferedLimit, settings.limits.bodyLimit)
  const type = exchange.header("content-type")
  const openBody = () => {
    const refusal = refuseCodedBody(exchange)
    if (refusal) throw refusal
    if (isLargeForm(exchange, bodyLimit))
      throw createFileError(413, createFileIssue("", { code: "total", limit: bodyLimit }, options))
    return exchange.hasBody ? getUnreadBody(c.request) : null
  }
  return generateParts(openBody, type, { ...options, maxFile, maxParts }, maxBufferedBytes)
}

async function* generateParts(
  openBody: () => ReadableStream<Uint8Array> | null,
  contentType: string,
  rules: PartRules,
  maxBufferedBytes: number,
): AsyncGenerator<Part, void, undefined> {
  const body = openBody()
  if (!body) return
  if (findFormType(contentType) !== "multipart/form-data")
    throw createWrongTypeError("multipart/form-data", contentType)
  const multipart = new Multipart(body, readBoundary(contentType), rules.maxParts)
  const memory = { bytesLeft: maxBufferedBytes, maxBytes: maxBufferedBytes }
  try {
    for (let head = await multipart.next(); head; head = await multipart.next()) {
      const part = new ArrivingPart(multipart, head, rules, memory)
      await part.readType()
      try {
        yield part
      } finally {
        await part.end()
      }
    }
  } finally {
    multipart.release()
  }
}

/** The options of `c.parts()` with their defaults. */
interface PartRules extends PartsOptions {
  readonly maxFile: number
  readonly maxParts: number
}

interface MemoryBudget {
  bytesLeft: number
  readonly maxBytes: number
}

class ArrivingPart implements Part {
  readonly name: string
  readonly filename: string | undefined
  type: string
  /** The type that the first bytes show. */
  #detectedType: string | undefined
  readonly #head: PartHead
  readonly #multipart: Multipart
  readonly #memory: MemoryBudget
  readonly #rules: PartRules
  /** The bytes that were read to recognise the file and that the program has not read yet. */
  #firstChunks: Uint8Array[] = []
  #size = 0
  #hasEnded = false
  #body: ReadableStream<Uint8Array> | undefined
  /** True if the program has read some of the part. */
  #isRead = false
  /** The call that reads the whole part. */
  #readPromise: Promise<unknown> | undefined
  /** The latest read of a chunk. It never rejects. */
  #chunk: Promise<unknown> | undefined

  constructor(multipart: Multipart, head: PartHead, rules: PartRules, memory: MemoryBudget) {
    this.name = head.name
    this.filename = head.filename === undefined ? undefined : getFileName(head.filename)
    this.type = head.type
    this.#head = head
    this.#multipart = multipart
    this.#rules = rules
    this.#memory = memory
  }

  /** Reads the start of a file to find its type. @throws HttpError 415 for a type that is not accepted. */
  async readType(): Promise<void> {
    if (this.filename === undefined) return
    let size = 0
    while (size < signatureBytes) {
      const chunk = await this.#read()
      if (chunk === null) break
      this.#firstChunks.push(chunk)
      size += chunk.length
    }
    // For an empty file input, browsers send a file without a name and without bytes. There is nothing to refuse.
    if (size === 0 && this.filename === "") return
    const detectedType = detectType(concatBytes(this.#firstChunks, size))
    this.#detectedType = detectedType || undefined
    this.type = detectedType || this.type
    const { types } = this.#rules
    if (types && !isAcceptedType(types, detectedType))
      throw this.#createRefusal(415, { code: "type", types, found: detectedType })
  }

  /**
   * Ends the part when the program asks for the next one. It cannot be read after that. A read that has begun is
   * finished first, because its bytes come from the same source as the next part. A program may, for example, collect
   * the promises of `text()` in its loop.
   *
   * @throws the error of a call that nobody has awaited.
   */
  async end(): Promise<void> {
    try {
      await this.#readPromise
    } finally {
      this.#hasEnded = true
      await this.#chunk
    }
  }

  get body(): ReadableStream<Uint8Array> {
    this.#body ??= new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const chunk = await this.#readNext()
          if (chunk) controller.enqueue(chunk)
          else controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return this.#body
  }

  text(): Promise<string> {
    return this.#trackReading(this.#readBytes().then((bytes) => decodePartText(bytes, this.#head)))
  }

  bytes(): Promise<Uint8Array> {
    return this.#trackReading(this.#readBytes())
  }

  /** Stores the promise of a call that reads the whole part. */
  #trackReading<T>(promise: Promise<T>): Promise<T> {
    this.#readPromise ??= promise
    const settle = () => {
      if (this.#readPromise === promise) this.#readPromise = undefined
    }
    promise.then(settle, settle)
    return allowUnawaited(promise)
  }

  /** Returns the body for a call that reads the whole part. @throws TypeError if the part was read already. */
  #getUnreadBody(): ReadableStream<Uint8Array> {
    if (this.#isRead || this.body.locked)
      throw new TypeError(`${this.#formatLabel()} was read already: a part can be read once`)
    return this.body
  }

  async #readBytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = 0
    const reader = this.#getUnreadBody().getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return concatBytes(chunks, size)
      this.#memory.bytesLeft -= value.length
      if (this.#memory.bytesLeft < 0) throw payloadTooLarge(this.#memory.maxBytes)
      size += value.length
      chunks.push(value)
    }
  }

  save(place: string | Files, name?: string): Promise<number> {
    return this.#trackReading(this.#save(place, name))
  }

  async #save(place: string | Files, name?: string): Promise<number> {
    if (typeof place === "object") return place.put(name as string, this.#getUnreadBody(), { type: this.#detectedType })
    if (!platform.save) throw fault("platform.save")
    return platform.save(place, this.#getUnreadBody())
  }

  async #readNext(): Promise<Uint8Array | null> {
    if (this.#hasEnded)
      throw new TypeError(`${this.#formatLabel()} has ended: read a part before you ask for the next one`)
    this.#isRead = true
    const firstChunk = this.#firstChunks.shift()
    if (firstChunk) return firstChunk
    const chunk = this.#read()
    this.#chunk = chunk.catch(() => {})
    return chunk
  }

  async #read(): Promise<Uint8Array | null> {
    const chunk = await this.#multipart.readChunk()
    this.#size += chunk?.length ?? 0
    const { maxFile } = this.#rules
    if (this.filename !== undefined && this.#size > maxFile)
      throw this.#createRefusal(413, { code: "size", limit: maxFile })
    return chunk
  }

  /** Returns the error for a file that is not accepted. */
  #createRefusal(status: 413 | 415, facts: FileFacts): HttpError {
    return createFileError(status, createFileIssue(this.name, facts, this.#rules))
  }

  /** Returns a name of the part for messages. Its length is limited. */
  #formatLabel(): string {
    const kind = this.filename === undefined ? "field" : "file"
    return `the ${kind} ${JSON.stringify(shortenText(this.name))}`
  }
}

/** Returns the name of a file without directories, which old browsers and scripts send too. */
function getFileName(name: string): string {
  let end = name.length
  // On some systems a name may end with a backslash. Without it, the rest is still a name.
  while (isSeparator(name[end - 1])) end--
  let start = end
  while (start > 0 && !isSeparator(name[start - 1])) start--
  const last = name.slice(start, end)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them
  const cleanName = last.replace(/[\u0000-\u001f\u007f]/g, "")
  return cleanName === "." || cleanName === ".." ? "" : cleanName
}

function isSeparator(character: string | undefined): boolean {
  return character === "/" || character === "\\"
}
