/** The parts of a multipart form, one after the other, as they arrive: for uploads that are too large to keep in memory. */
import { platform } from "#platform"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { type HttpError, tooLarge } from "../errors.ts"
import { fault } from "../fault.ts"
import { excerpt } from "../text.ts"
import { unreadBody } from "./body.ts"
import { concat } from "./bytes.ts"
import { codingRefusal } from "./coding.ts"
import { type FileFacts, type FileMessages, fileIssue, fileRefusal } from "./file-problems.ts"
import { checkFileRules, isAcceptedType, signatureLength, typeOfBytes } from "./file-types.ts"
import { checkedBoundary } from "./form.ts"
import { formType, isLargeForm, wrongType } from "./form-type.ts"
import { Multipart, type PartHead, textOf } from "./multipart.ts"
import { mayBeUnawaited } from "./unawaited.ts"

/**
 * The options of `c.parts()`.
 *
 * @example
 * const photos: PartsOptions = { maxFile: 5_000_000, maxParts: 10, types: ["image/jpeg", "image/png"] }
 * app.post("/photos", async (c) => {
 *   for await (const part of c.parts(photos)) await part.save(`/tmp/photo-${crypto.randomUUID()}`)
 *   return c.noContent()
 * })
 */
export interface PartsOptions extends FileMessages {
  /** Most bytes of one file. Default: the limit of the body. */
  readonly maxFile?: number
  /** Most parts, fields and files together. Default: the app's `formPartLimit`. */
  readonly maxParts?: number
  /**
   * Accepted types of files, such as `image/png` or `image/*`. They are recognised by the file's first bytes, whatever
   * its name and its `Content-Type` claim. SVG can hold scripts, so `image/*` does not accept it: it has to be named.
   * Default: any file.
   */
  readonly types?: readonly string[]
}

/**
 * One field or file of a form, while it arrives. It can be read once, and only until the next part is asked for.
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
   * The last segment of the name that the client gave a file, without control characters; `""` where it gave none.
   * Undefined for a plain field. Do not make a path of it: two people upload `photo.jpg`.
   */
  readonly filename: string | undefined
  /** The media type: of a file by its first bytes where they are known, else the one that the client sent, or `""`. */
  readonly type: string
  /** The bytes, as they arrive. The client is slowed down to the pace of the reader. */
  readonly body: ReadableStream<Uint8Array>
  /**
   * All of it as text, in UTF-8 or in the `charset` of its Content-Type. @throws HttpError 413 where the texts and bytes
   * kept of a request exceed the limit for that, 400 for bytes that are not valid in the charset.
   */
  text(): Promise<string>
  /** All of it. @throws HttpError 413 where the texts and bytes kept of a request exceed the limit for that. */
  bytes(): Promise<Uint8Array>
  /**
   * Writes it to a file, which appears once it is complete. A file of that name is replaced, and directories that are
   * missing are created.
   *
   * @returns its size in bytes.
   * @throws FwError where the runtime has no disk, and for a path that is not a regular file. The errors of the file
   * system, such as `ENOSPC` for a full disk, are passed on.
   */
  save(path: string): Promise<number>
}

/**
 * Reads the parts of a form: does what `c.parts()` does.
 *
 * @throws TypeError for options that are not valid, at once; HttpError 400, 413 and 415 for what the client sent.
 */
export function partsOf(c: Context, options: PartsOptions = {}): AsyncGenerator<Part, void, undefined> {
  checkFileRules("c.parts()", options, { limits: ["maxFile", "maxParts"], lists: ["types"] })
  const [exchange, { bodyLimit, bufferedLimit = bodyLimit }, settings] = access.bodyParts(c)
  const { maxFile = bodyLimit, maxParts = settings.formPartLimit } = options
  // A route that takes large uploads keeps no more of their fields than other routes do.
  const buffered = Math.min(bufferedLimit, settings.limits.bodyLimit)
  const type = exchange.header("content-type")
  const bodyOf = () => {
    const refusal = codingRefusal(exchange)
    if (refusal) throw refusal
    if (isLargeForm(exchange, bodyLimit))
      throw fileRefusal(413, fileIssue("", { code: "total", limit: bodyLimit }, options))
    return exchange.hasBody ? unreadBody(c.request) : null
  }
  return readParts(bodyOf, type, { ...options, maxFile, maxParts }, buffered)
}

async function* readParts(
  bodyOf: () => ReadableStream<Uint8Array> | null,
  contentType: string,
  rules: PartRules,
  buffered: number,
): AsyncGenerator<Part, void, undefined> {
  const body = bodyOf()
  if (!body) return
  if (formType(contentType) !== "multipart/form-data") throw wrongType("multipart/form-data", contentType)
  const multipart = new Multipart(body, checkedBoundary(contentType), rules.maxParts)
  const memory = { left: buffered, most: buffered }
  try {
    for (let head = await multipart.next(); head; head = await multipart.next()) {
      const part = new ArrivingPart(multipart, head, rules, memory)
      await part.begin()
      try {
        yield part
      } finally {
        await part.end()
      }
    }
  } finally {
    multipart.leave()
  }
}

/** The options of `c.parts()` with their defaults. */
interface PartRules extends PartsOptions {
  readonly maxFile: number
  readonly maxParts: number
}

interface Memory {
  left: number
  readonly most: number
}

class ArrivingPart implements Part {
  readonly name: string
  readonly filename: string | undefined
  type: string
  readonly #head: PartHead
  readonly #multipart: Multipart
  readonly #memory: Memory
  readonly #rules: PartRules
  /** The bytes that were read to recognise the file, and are not handed out yet. */
  #begun: Uint8Array[] = []
  #size = 0
  #ended = false
  #body: ReadableStream<Uint8Array> | undefined
  /** True if some of it was handed out. */
  #isRead = false
  /** The call that reads all of it, while it does. */
  #reading: Promise<unknown> | undefined
  /** The latest read of some bytes, which never rejects. */
  #chunk: Promise<unknown> | undefined

  constructor(multipart: Multipart, head: PartHead, rules: PartRules, memory: Memory) {
    this.name = head.name
    this.filename = head.filename === undefined ? undefined : lastSegment(head.filename)
    this.type = head.type
    this.#head = head
    this.#multipart = multipart
    this.#rules = rules
    this.#memory = memory
  }

  /** Reads as much of a file as it takes to know its type. @throws HttpError 415 for a type that is not accepted. */
  async begin(): Promise<void> {
    if (this.filename === undefined) return
    let size = 0
    while (size < signatureLength) {
      const chunk = await this.#read()
      if (chunk === null) break
      this.#begun.push(chunk)
      size += chunk.length
    }
    // A file input that was left empty sends a file without a name and without bytes: there is nothing to refuse.
    if (size === 0 && this.filename === "") return
    const found = typeOfBytes(concat(this.#begun, size))
    this.type = found || this.type
    const { types } = this.#rules
    if (types && !isAcceptedType(types, found)) throw this.#refusal(415, { code: "type", types, found })
  }

  /**
   * The program leaves the part, which can no longer be read afterwards. What was begun is finished first, because it takes
   * its bytes from where those of the next part come from: a program may return the promise of a text from its loop.
   *
   * @throws the error of a call that nobody has awaited so far.
   */
  async end(): Promise<void> {
    try {
      await this.#reading
    } finally {
      this.#ended = true
      await this.#chunk
    }
  }

  get body(): ReadableStream<Uint8Array> {
    this.#body ??= new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const chunk = await this.#next()
          if (chunk) controller.enqueue(chunk)
          else controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return this.#body
  }

  text(): Promise<string> {
    return this.#whole(this.#bytes().then((bytes) => textOf(bytes, this.#head)))
  }

  bytes(): Promise<Uint8Array> {
    return this.#whole(this.#bytes())
  }

  /** Returns the promise of a call that reads all of it. */
  #whole<T>(reading: Promise<T>): Promise<T> {
    this.#reading ??= reading
    const settle = () => {
      if (this.#reading === reading) this.#reading = undefined
    }
    reading.then(settle, settle)
    return mayBeUnawaited(reading)
  }

  /** Returns the body for a call that reads all of it. */
  #unread(): ReadableStream<Uint8Array> {
    if (this.#isRead || this.body.locked)
      throw new TypeError(`${this.#label()} was read already: a part can be read once`)
    return this.body
  }

  async #bytes(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = 0
    const reader = this.#unread().getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return concat(chunks, size)
      this.#memory.left -= value.length
      if (this.#memory.left < 0) throw tooLarge(this.#memory.most)
      size += value.length
      chunks.push(value)
    }
  }

  save(path: string): Promise<number> {
    return this.#whole(this.#save(path))
  }

  async #save(path: string): Promise<number> {
    if (!platform.save) throw fault("platform.save")
    return platform.save(path, this.#unread())
  }

  async #next(): Promise<Uint8Array | null> {
    if (this.#ended)
      throw new TypeError(`${this.#label()} has ended: read a part before you ask for the next one`)
    this.#isRead = true
    const begun = this.#begun.shift()
    if (begun) return begun
    const chunk = this.#read()
    this.#chunk = chunk.catch(() => {})
    return chunk
  }

  async #read(): Promise<Uint8Array | null> {
    const chunk = await this.#multipart.chunk()
    this.#size += chunk?.length ?? 0
    const { maxFile } = this.#rules
    if (this.filename !== undefined && this.#size > maxFile)
      throw this.#refusal(413, { code: "size", limit: maxFile })
    return chunk
  }

  /** The error for a file that is not accepted. */
  #refusal(status: 413 | 415, facts: FileFacts): HttpError {
    return fileRefusal(status, fileIssue(this.name, facts, this.#rules))
  }

  /** The part as a message names it, of bounded length. */
  #label(): string {
    const kind = this.filename === undefined ? "field" : "file"
    return `the ${kind} ${JSON.stringify(excerpt(this.name))}`
  }
}

/** The name of a file without the directories that old browsers and scripts put before it. */
function lastSegment(name: string): string {
  let end = name.length
  // A name may end in a backslash where that is a letter like any other: without it, it is still a name.
  while (isSeparator(name[end - 1])) end--
  let start = end
  while (start > 0 && !isSeparator(name[start - 1])) start--
  const last = name.slice(start, end)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
  const clean = last.replace(/[\u0000-\u001f\u007f]/g, "")
  return clean === "." || clean === ".." ? "" : clean
}

function isSeparator(character: string | undefined): boolean {
  return character === "/" || character === "\\"
}
