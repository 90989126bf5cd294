/** Reads a `multipart/form-data` body as it arrives (RFC 7578, RFC 2046 §5.1): part by part, never the whole. */
import { badRequest } from "../errors.ts"
import { trimBlanks } from "./header-grammar.ts"

/** Most bytes of one part's headers. Browsers send about 150. */
const mostHeaders = 16 * 1024

const carriageReturn = 13

/** The head of one part. */
export interface PartHead {
  /** The name of the form's field. */
  readonly name: string
  /** The name that the client gave a file; undefined for a plain field. */
  readonly filename: string | undefined
  /** The part's `Content-Type`, as it was sent; `""` without one. */
  readonly type: string
}

/**
 * A reader of one multipart body. Bytes are taken from the source only when somebody asks for them, so a slow reader
 * slows the client down.
 */
export class Multipart {
  readonly #source: ReadableStreamDefaultReader<Uint8Array>
  readonly #delimiter: Uint8Array
  /** The bytes that have arrived and are not handed out yet. The first delimiter needs no line break before it: here it gets one. */
  #arrived: Uint8Array = Uint8Array.of(13, 10)
  #inPart = true
  #ended = false

  /** @param boundary as {@link boundaryOf} gives it. */
  constructor(source: ReadableStream<Uint8Array>, boundary: string) {
    this.#source = source.getReader()
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`)
  }

  /**
   * Goes to the next part. What is left of the one before is read and dropped.
   *
   * @returns null after the last one.
   * @throws HttpError 400 for a body that is not valid.
   */
  async next(): Promise<PartHead | null> {
    while ((await this.chunk()) !== null);
    if (this.#ended) return null
    const line = await this.#line("a boundary")
    // RFC 2046 §5.1.1: spaces may follow a boundary. Text after the last one does not count.
    if (line.startsWith("--")) {
      this.#ended = true
      return null
    }
    if (trimBlanks(line) !== "") throw broken("text after a boundary")
    const head = await this.#head()
    this.#inPart = true
    return head
  }

  /** The next bytes of the part; null at its end. @throws HttpError 400 where the body breaks off. */
  async chunk(): Promise<Uint8Array | null> {
    while (this.#inPart) {
      const { at, whole } = this.#find()
      if (whole) {
        this.#inPart = false
        const last = this.#take(at)
        this.#take(this.#delimiter.length)
        return last.length > 0 ? last : null
      }
      if (at > 0) return this.#take(at)
      await this.#more()
    }
    return null
  }

  /** Stops reading, as when the program needs no more of the body. */
  leave(): void {
    this.#ended = true
    this.#inPart = false
    this.#source.releaseLock()
  }

  /**
   * Returns the place where the delimiter begins, whole or cut off at the end of the bytes that arrived. Only its first character is a carriage
   * return, so no two places where it could begin overlap, and each byte is compared once.
   */
  #find(): { at: number; whole: boolean } {
    const bytes = this.#arrived
    const wanted = this.#delimiter
    let at = bytes.indexOf(carriageReturn)
    while (at >= 0) {
      let same = 1
      while (same < wanted.length && bytes[at + same] === wanted[same]) same++
      if (same === wanted.length) return { at, whole: true }
      at += same
      if (at >= bytes.length) return { at: at - same, whole: false }
      // The search is native, and costs more than a look at the next byte where a body is full of carriage returns.
      if (bytes[at] !== carriageReturn) at = bytes.indexOf(carriageReturn, at)
    }
    return { at: bytes.length, whole: false }
  }

  #take(length: number): Uint8Array {
    const taken = this.#arrived.subarray(0, length)
    this.#arrived = this.#arrived.subarray(length)
    return taken
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#source.read()
    if (done) throw broken("it ends too early")
    if (this.#arrived.length === 0) {
      this.#arrived = value
      return
    }
    const both = new Uint8Array(this.#arrived.length + value.length)
    both.set(this.#arrived)
    both.set(value, this.#arrived.length)
    this.#arrived = both
  }

  /** A line up to its break, which is dropped. */
  async #line(what: string): Promise<string> {
    for (let from = 0; ; ) {
      const at = this.#arrived.indexOf(carriageReturn, from)
      const known = at >= 0 && at + 1 < this.#arrived.length
      if (known && this.#arrived[at + 1] !== 10)
        throw broken(`a carriage return without a line feed in ${what}`)
      if (known) {
        const line = new TextDecoder().decode(this.#take(at))
        this.#take(2)
        return line
      }
      if (this.#arrived.length > mostHeaders) throw broken(`${what} of more than ${mostHeaders} bytes`)
      from = at >= 0 ? at : this.#arrived.length
      await this.#more()
    }
  }

  async #head(): Promise<PartHead> {
    let left = mostHeaders
    let disposition = ""
    let type = ""
    for (;;) {
      const line = await this.#line("a part's headers")
      if (line === "") return { ...fieldOf(disposition), type }
      left -= line.length
      if (left < 0) throw broken(`a part's headers of more than ${mostHeaders} bytes`)
      const colon = line.indexOf(":")
      if (colon < 1) throw broken("a part's header has no colon")
      const name = line.slice(0, colon).toLowerCase()
      const value = trimBlanks(line.slice(colon + 1))
      if (name === "content-disposition") disposition = value
      else if (name === "content-type") type = value
    }
  }
}

/** The field and the file that a `Content-Disposition` names (RFC 7578 §4.2). */
function fieldOf(disposition: string): { name: string; filename: string | undefined } {
  if (!/^form-data\s*;/i.test(disposition)) throw broken("a part has no Content-Disposition: form-data")
  const name = parameter(disposition, "name")
  if (name === undefined) throw broken("a part has no name")
  return { name, filename: parameter(disposition, "filename") }
}

/** A quoted parameter, with the three characters that browsers escape (HTML standard, "multipart/form-data encoding algorithm"). */
function parameter(disposition: string, name: string): string | undefined {
  for (const [, key = "", quoted, bare] of disposition.matchAll(
    /;\s*([^\s=;"]{1,40})=(?:"([^"]*)"|([^\s;"]*))/g,
  )) {
    if (key.toLowerCase() !== name) continue
    const escapes: Record<string, string> = { "%0A": "\n", "%0D": "\r", "%22": '"' }
    return (quoted ?? bare ?? "").replace(
      /%(?:0A|0D|22)/gi,
      (written) => escapes[written.toUpperCase()] ?? written,
    )
  }
  return undefined
}

function broken(why: string): Error {
  return badRequest(`the body is not valid multipart/form-data: ${why}`)
}
