/** Reads a `multipart/form-data` body part by part as it arrives, and never as a whole (RFC 7578, RFC 2046 §5.1). */
import { badRequest, HttpError } from "../errors.ts"
import { shortenText } from "../text.ts"
import { findExtendedParameter, isToken, readDisposition, readParameterized, trimBlanks } from "./header-grammar.ts"

/** Maximum number of bytes of the headers of one part, counting line breaks. Browsers send about 150. */
const maxHeaderBytes = 16 * 1024

/** Maximum number of headers of one part. Browsers send two. */
const maxHeaders = 100

const tab = 9
const lineFeed = 10
const carriageReturn = 13
const space = 32
const dash = 45

/** What the headers of a part say. */
export interface PartHead {
  /** The number of the part in the form, from 1. */
  readonly number: number
  /** The name of the form's field. */
  readonly name: string
  /** The name that the client gave a file; undefined for a field that is not a file. */
  readonly filename: string | undefined
  /** The part's `Content-Type`, as it was sent; `""` if there is none. */
  readonly type: string
}

/**
 * Reads one multipart body. Bytes are taken from the source only when the program asks for them, so a slow program
 * slows the client down.
 */
export class Multipart {
  /** Undefined if the whole body is already in memory. */
  readonly #source: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #delimiter: Uint8Array
  readonly #maxParts: number
  /** Bytes that were taken from the source. Those between `#start` and `#end` have not been returned yet. */
  #buffer: Uint8Array = Uint8Array.of(carriageReturn, lineFeed)
  #start = 0
  #end = 2
  /** True if this reader has allocated the buffer, and may write to its free space. */
  #isOwnBuffer = false
  /** The rest of the source's last chunk, which is not in the buffer yet. */
  #chunk: Uint8Array = new Uint8Array()
  /** The number of bytes from `#start` on that are known to match the delimiter. */
  #matchedBytes = 0
  /**
   * 2 while the buffer begins with a line break that is not data but may begin a delimiter, otherwise 0. It is the one
   * that ends the part's headers (RFC 2046 §5.1.1), or was put before the body, because the first delimiter needs none.
   */
  #leadBytes = 2
  #isInPart = true
  #hasEnded = false
  #number = 0
  #head: PartHead | undefined

  /**
   * @param boundary the result of `readBoundary`.
   * @param maxParts maximum number of parts, counting fields and files.
   */
  constructor(source: ReadableStream<Uint8Array> | Uint8Array, boundary: string, maxParts: number) {
    if (source instanceof Uint8Array) this.#chunk = source
    else this.#source = source.getReader()
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`)
    this.#maxParts = maxParts
  }

  /**
   * Goes to the next part. The rest of the current part is read and dropped.
   *
   * @returns null after the last part.
   * @throws HttpError 400 for a body that is not valid, 413 for too many parts, 415 for a part in a transfer encoding.
   */
  async next(): Promise<PartHead | null> {
    while ((await this.readChunk()) !== null);
    if (this.#hasEnded) return null
    this.#head = undefined
    if (++this.#number > this.#maxParts) throw new HttpError(413, `the form has more than ${this.#maxParts} parts`)
    this.#head = await this.#readHead()
    this.#isInPart = true
    this.#leadBytes = 2
    return this.#head
  }

  /** Returns the next bytes of the part; null at its end. @throws HttpError 400 if the body is cut off. */
  async readChunk(): Promise<Uint8Array | null> {
    while (this.#isInPart) {
      const { at, length } = this.#findDelimiter()
      if (length > 0 || at > 0) {
        const data = this.#takeBytes(at).subarray(this.#leadBytes)
        if (at > 0) this.#leadBytes = 0
        if (length > 0) {
          this.#isInPart = false
          this.#hasEnded = this.#takeBytes(length).at(-1) === dash
        }
        if (data.length > 0) return data
      } else if (!(await this.#readMore())) this.#failAtEnd()
    }
    return null
  }

  /** Stops reading, because the program needs no more of the body. */
  release(): void {
    this.#hasEnded = true
    this.#isInPart = false
    this.#source?.releaseLock()
  }

  /** Throws if the body ends before the first delimiter, or inside a part. */
  #failAtEnd(): void {
    if (this.#number > 0) throw createMultipartError(`it ends too early, in ${this.#label}`)
    // An empty body is an empty form. Only with a `Content-Length` is it known in advance.
    const isEmpty = this.#end - this.#start === 2 && this.#leadBytes === 2
    const boundary = JSON.stringify(new TextDecoder().decode(this.#delimiter.subarray(2)))
    if (!isEmpty)
      throw createMultipartError(
        `it ends too early, because no line is ${boundary}. Lines end with a carriage return and a line feed`,
      )
    this.#isInPart = false
    this.#hasEnded = true
  }

  /**
   * Finds the next delimiter line: `length` bytes at the position `at`. If there is none, `length` is 0. The last bytes
   * that have arrived may then be the first half of a delimiter, which begins at `at`. Each byte is compared only once,
   * because a carriage return is only the first character of a delimiter, so two possible delimiters never overlap.
   */
  #findDelimiter(): { at: number; length: number } {
    const bytes = this.#buffer.subarray(this.#start, this.#end)
    let at = bytes.indexOf(carriageReturn)
    while (at >= 0) {
      const comparison = this.#compareDelimiter(bytes, at)
      if (comparison >= 0) return { at, length: comparison }
      at -= comparison
      // In a body full of carriage returns, looking at the next byte first is faster than calling `indexOf()` for each.
      if (bytes[at] !== carriageReturn) at = bytes.indexOf(carriageReturn, at)
    }
    return { at: bytes.length, length: 0 }
  }

  /**
   * Compares bytes with a delimiter line: the boundary, then blanks and a line break, or two dashes after the last
   * part. A text that only begins like a delimiter is data.
   *
   * @returns the length of the line; 0 if its rest has not arrived; otherwise, as a negative number, how many bytes
   * cannot be the beginning of a delimiter.
   */
  #compareDelimiter(bytes: Uint8Array, at: number): number {
    const delimiter = this.#delimiter
    let matchLength = at === 0 ? this.#matchedBytes : 0
    this.#matchedBytes = 0
    while (matchLength < delimiter.length && bytes[at + matchLength] === delimiter[matchLength]) matchLength++
    if (matchLength === delimiter.length && bytes[at + matchLength] === dash) {
      if (bytes[at + matchLength + 1] === dash) return matchLength + 2
      if (at + matchLength + 1 < bytes.length) return -matchLength
    } else if (matchLength >= delimiter.length) {
      while (isBlank(bytes[at + matchLength])) matchLength++
      if (matchLength > maxHeaderBytes)
        throw createMultipartError(`more than ${maxHeaderBytes} bytes follow a boundary on its line`)
      if (bytes[at + matchLength] === carriageReturn) {
        if (bytes[at + matchLength + 1] === lineFeed) return matchLength + 2
        if (at + matchLength + 1 < bytes.length) return -matchLength
      } else if (at + matchLength < bytes.length) return -matchLength
    } else if (at + matchLength < bytes.length) return -matchLength
    this.#matchedBytes = matchLength
    return 0
  }

  #takeBytes(length: number): Uint8Array {
    const takenBytes = this.#buffer.subarray(this.#start, this.#start + length)
    this.#start += length
    return takenBytes
  }

  /**
   * Takes more bytes from the source. Bytes are copied only if others wait before them, and then only a part of a
   * chunk. The space for them doubles when it is full, so that many small chunks take linear time.
   *
   * @returns false if the source has ended.
   */
  async #readMore(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const next = await this.#source?.read()
      if (!next?.value) return false
      this.#chunk = next.value
    }
    const waitingBytes = this.#end - this.#start
    if (waitingBytes === 0) {
      this.#buffer = this.#chunk
      this.#start = 0
      this.#end = this.#chunk.length
      this.#isOwnBuffer = false
      this.#chunk = new Uint8Array()
      return true
    }
    const newBytes = this.#chunk.subarray(0, 1024)
    this.#chunk = this.#chunk.subarray(1024)
    if (!this.#isOwnBuffer || this.#buffer.length - this.#end < newBytes.length) {
      const largerBuffer = new Uint8Array(2 * waitingBytes + 1024)
      largerBuffer.set(this.#buffer.subarray(this.#start, this.#end))
      this.#buffer = largerBuffer
      this.#start = 0
      this.#end = waitingBytes
      this.#isOwnBuffer = true
    }
    this.#buffer.set(newBytes, this.#end)
    this.#end += newBytes.length
    return true
  }

  /**
   * Finds the next line break in the headers of a part, and returns the length of the line before it.
   *
   * @param maxLength maximum number of bytes of the line.
   */
  async #findLineLength(maxLength: number): Promise<number> {
    for (let from = 0; ; ) {
      const bytes = this.#buffer.subarray(this.#start, this.#end)
      const at = bytes.indexOf(carriageReturn, from)
      from = at >= 0 ? at : bytes.length
      if (from > maxLength)
        throw createMultipartError(`${this.#label} has headers of more than ${maxHeaderBytes} bytes`)
      if (at >= 0 && at + 1 < bytes.length) {
        if (bytes[at + 1] === lineFeed && !bytes.subarray(0, at).includes(lineFeed)) return at
        throw createMultipartError(
          `a line of the headers of ${this.#label} does not end with a carriage return and a line feed`,
        )
      }
      if (!(await this.#readMore())) throw createMultipartError(`it ends too early, in the headers of ${this.#label}`)
    }
  }

  /**
   * Reads the headers of a part, without the empty line after them. A line that begins with a blank continues the line
   * before it (RFC 5322 §2.2.3).
   */
  async #readHead(): Promise<PartHead> {
    const lines: string[] = []
    for (let bytesLeft = maxHeaderBytes; ; ) {
      const length = await this.#findLineLength(bytesLeft)
      if (length === 0) return this.#parseHead(lines)
      bytesLeft -= length + 2
      const line = decodeHeader(this.#takeBytes(length))
      this.#takeBytes(2)
      if (!isBlank(line.charCodeAt(0))) lines.push(line)
      else if (lines.length > 0) lines.push(`${lines.pop()} ${trimBlanks(line)}`)
      else throw createMultipartError(`the first header of ${this.#label} begins with a blank`)
      if (lines.length > maxHeaders) throw createMultipartError(`${this.#label} has more than ${maxHeaders} headers`)
    }
  }

  /** Parses the headers of a part. If a header is repeated, the first one counts. */
  #parseHead(lines: readonly string[]): PartHead {
    const headers = new Map<string, string>()
    for (const line of lines) {
      const colon = line.indexOf(":")
      if (colon < 0) throw createMultipartError(`a header of ${this.#label} has no colon`)
      const name = line.slice(0, colon).toLowerCase()
      if (!isToken(name)) throw createMultipartError(`a header of ${this.#label} has a name that is not valid`)
      if (!headers.has(name)) headers.set(name, trimBlanks(line.slice(colon + 1)))
    }
    const head = {
      number: this.#number,
      ...this.#parseField(headers.get("content-disposition")),
      type: headers.get("content-type") ?? "",
    }
    const encoding = headers.get("content-transfer-encoding") ?? ""
    // The header is deprecated (RFC 7578 §4.7). These values mean that the bytes are not encoded.
    if (!["", "7bit", "8bit", "binary"].includes(encoding.toLowerCase()))
      throw new HttpError(
        415,
        `${formatPartLabel(head)} has the Content-Transfer-Encoding ${shortenText(encoding)}, which is not decoded: send it without one`,
      )
    return head
  }

  /** Returns the names of the field and the file in a `Content-Disposition` (RFC 7578 §4.2). */
  #parseField(header = ""): { name: string; filename: string | undefined } {
    const disposition = readDisposition(header)
    if (!disposition)
      throw createMultipartError(`the Content-Disposition of ${this.#label} has a malformed quoted string`)
    const { value, parameters } = disposition
    if (value !== "form-data") throw createMultipartError(`${this.#label} has no Content-Disposition: form-data`)
    const name = findExtendedParameter(parameters, "name")
    if (name === undefined) throw createMultipartError(`the Content-Disposition of ${this.#label} has no name`)
    return { name, filename: findExtendedParameter(parameters, "filename") }
  }

  /** Returns a name for the current part, for messages. */
  get #label(): string {
    return this.#head ? formatPartLabel(this.#head) : `part ${this.#number}`
  }
}

/** Returns a name for a part, for messages. Its length is limited. */
export function formatPartLabel({ number, name }: PartHead): string {
  return `part ${number} (${JSON.stringify(shortenText(name))})`
}

/**
 * Decodes the text of a part, in UTF-8 or in the charset of its Content-Type.
 *
 * @throws HttpError 400 for bytes that are not valid in the charset, and for an unknown charset.
 */
export function decodePartText(bytes: Uint8Array, head: PartHead): string {
  const charset = readParameterized(head.type).parameters.get("charset") || "utf-8"
  const decoder = createDecoder(charset)
  if (!decoder)
    throw badRequest(
      `${formatPartLabel(head)} has the charset ${JSON.stringify(shortenText(charset))}, which is not known: send it in UTF-8`,
    )
  try {
    return decoder.decode(bytes)
  } catch {
    const hint = head.filename === undefined ? ": send bytes as a file, with a file name" : ""
    throw badRequest(`${formatPartLabel(head)} is not valid ${decoder.encoding.toUpperCase()}${hint}`)
  }
}

function createDecoder(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return undefined
  }
}

/** Decodes a header: as UTF-8 (RFC 7578 §5.1), or else as Latin-1, which old clients use for names. */
function decodeHeader(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
  }
}

function isBlank(code: number | undefined): boolean {
  return code === space || code === tab
}

function createMultipartError(reason: string): Error {
  return badRequest(`the body is not valid multipart/form-data: ${reason}`)
}
