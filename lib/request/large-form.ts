/** Reads the texts of a form that is larger than its limit, so that a page can show the form again. */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { HttpError, type Issue, payloadTooLarge } from "../errors.ts"
import type { BodySource } from "../exchange.ts"
import { concatBytes } from "./bytes.ts"
import { refuseCodedBody } from "./content-coding.ts"
import { createFileIssue, type FileMessages } from "./file-problems.ts"
import { readBoundary } from "./form.ts"
import { findFormType, isLargeForm } from "./form-type.ts"
import { decodePartText, Multipart, type PartHead } from "./multipart.ts"

/** What is read of a form that is too large: its texts by name, and an issue that says what is too large. */
export interface LargeForm {
  readonly sent: Map<string, string[]>
  readonly issue: Issue
}

interface LargeFormOptions extends FileMessages {
  readonly maxFile?: number
}

/**
 * Reads the texts of a form that is larger than its limit. Its files are counted, but not kept. At most twice the limit
 * is read, because a browser shows no answer before it has sent the whole body; a server that refuses a body reads
 * about as much, and discards it. Without a `Content-Length` there are no texts, because the size is known only after
 * the start of the body was read for another purpose.
 *
 * @returns undefined for a form that is not too large.
 * @throws HttpError 400 for a broken form, 415 for a form in a `Content-Encoding`.
 */
export async function readLargeForm(c: Context, options: LargeFormOptions): Promise<LargeForm | undefined> {
  const [exchange, { bodyLimit, bufferedLimit = bodyLimit }, settings] = access.getBodyArguments(c)
  const maxBytes = Math.min(bodyLimit, bufferedLimit)
  const type = exchange.header("content-type")
  const form = new LargeFormReader(maxBytes)
  if (isLargeForm(exchange, maxBytes)) {
    const refusal = refuseCodedBody(exchange)
    if (refusal) throw refusal
    const isMultipart = findFormType(type) === "multipart/form-data"
    const boundary = isMultipart && readBoundary(type)
    const body = boundary && openBody(c, exchange)
    if (body) await form.read(new Multipart(stopAfter(body, 2 * maxBytes), boundary, settings.formPartLimit))
  } else if (findFormType(type) === null || (await readWithinLimit(c))) return undefined
  return { sent: form.sent, issue: form.createIssue(options) }
}

/** Reads the body. Resolves with false if it is larger than its limit. */
function readWithinLimit(c: Context): Promise<boolean> {
  return c.bytes().then(
    () => true,
    (error: unknown) => {
      if (isTooLarge(error)) return false
      throw error
    },
  )
}

function isTooLarge(error: unknown): boolean {
  return error instanceof HttpError && error.status === 413
}

function openBody(c: Context, exchange: BodySource): ReadableStream<Uint8Array> | null {
  try {
    return exchange.stream(Number.POSITIVE_INFINITY)
  } catch {
    // The program has read `c.request`. Where the runtime created that Request, only it has the stream.
    return c.request.body
  }
}

/** Returns a stream that fails with a 413 after `limit` bytes. The chunk that exceeds the limit is still passed on. */
function stopAfter(stream: ReadableStream<Uint8Array>, limit: number): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  let bytesLeft = limit
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (bytesLeft <= 0) throw payloadTooLarge(limit)
        const { done, value } = await reader.read()
        if (done) return controller.close()
        bytesLeft -= value.length
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

class LargeFormReader {
  readonly sent = new Map<string, string[]>()
  readonly #maxBytes: number
  readonly #files: { readonly name: string; size: number }[] = []
  #bytesLeft: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#bytesLeft = maxBytes
  }

  async read(multipart: Multipart): Promise<void> {
    try {
      await this.#readParts(multipart)
    } catch (error) {
      // The page shows the texts that were read before the limit.
      if (!isTooLarge(error)) throw error
    } finally {
      multipart.release()
    }
  }

  async #readParts(multipart: Multipart): Promise<void> {
    for (let head = await multipart.next(); head; head = await multipart.next()) {
      if (head.filename === undefined) await this.#keepText(head, multipart)
      else await this.#countFile(head.name, multipart)
    }
  }

  async #keepText(head: PartHead, multipart: Multipart): Promise<void> {
    const chunks: Uint8Array[] = []
    let size = 0
    for (let chunk = await multipart.readChunk(); chunk; chunk = await multipart.readChunk()) {
      this.#bytesLeft -= chunk.length
      if (this.#bytesLeft < 0) throw payloadTooLarge(this.#maxBytes)
      size += chunk.length
      // Without the copy, the text would keep all bytes in memory that arrived together with it, such as those of
      // files.
      chunks.push(chunk.slice())
    }
    const texts = this.sent.get(head.name) ?? []
    texts.push(decodePartText(concatBytes(chunks, size), head))
    this.sent.set(head.name, texts)
  }

  async #countFile(name: string, multipart: Multipart): Promise<void> {
    const file = { name, size: 0 }
    this.#files.push(file)
    for (let chunk = await multipart.readChunk(); chunk; chunk = await multipart.readChunk()) file.size += chunk.length
  }

  /** Returns the issue about the largest file, or about the whole form if it has no files. */
  createIssue(options: LargeFormOptions): Issue {
    const [largestFile, otherFile] = this.#files.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size)
    const { maxFile = this.#maxBytes } = options
    const isOneFileTooLarge = largestFile && (!otherFile || largestFile.size > Math.min(maxFile, this.#maxBytes))
    return isOneFileTooLarge
      ? createFileIssue(largestFile.name, { code: "size", limit: Math.min(maxFile, this.#maxBytes) }, options)
      : createFileIssue(largestFile?.name ?? "", { code: "total", limit: this.#maxBytes }, options)
  }
}
