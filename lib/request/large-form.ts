/** Forms whose body is larger than its limit: what they say is read, so that they can be shown again. */
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { HttpError, type Issue, tooLarge } from "../errors.ts"
import type { BodySource } from "../exchange.ts"
import { concat } from "./bytes.ts"
import { codingRefusal } from "./coding.ts"
import { type FileMessages, fileIssue } from "./file-problems.ts"
import { checkedBoundary } from "./form.ts"
import { formType, isLargeForm } from "./form-type.ts"
import { Multipart, type PartHead, textOf } from "./multipart.ts"

/** The part of a large form that is read: its texts by name, and an issue about what is too large. */
export interface LargeForm {
  readonly sent: Map<string, string[]>
  readonly issue: Issue
}

interface LargeFormOptions extends FileMessages {
  readonly maxFile?: number
}

/**
 * Reads the texts of a form that is larger than its limit. Its files are counted, not kept. At most twice the limit is
 * read: a server discards as much of a body that it refuses, and a browser shows no answer before it has sent the body.
 * Nothing is known of a form that is sent without a `Content-Length`, because its beginning was read as a whole.
 *
 * @returns undefined for a form within its limit.
 * @throws HttpError 400 for a broken form, 415 for one in a content coding.
 */
export async function readLargeForm(c: Context, options: LargeFormOptions): Promise<LargeForm | undefined> {
  const [exchange, { bodyLimit, bufferedLimit = bodyLimit }, settings] = access.bodyParts(c)
  const most = Math.min(bodyLimit, bufferedLimit)
  const type = exchange.header("content-type")
  const form = new Texts(most)
  if (isLargeForm(exchange, most)) {
    const refusal = codingRefusal(exchange)
    if (refusal) throw refusal
    const isMultipart = formType(type) === "multipart/form-data"
    const boundary = isMultipart && checkedBoundary(type)
    const body = boundary && bodyOf(c, exchange)
    if (body) await form.read(new Multipart(upTo(body, 2 * most), boundary, settings.formPartLimit))
  } else if (formType(type) === null || (await isWithinLimit(c))) return undefined
  return { sent: form.sent, issue: form.issue(options) }
}

/** Reads a body. @returns false for one that is larger than its limit. */
function isWithinLimit(c: Context): Promise<boolean> {
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

function bodyOf(c: Context, exchange: BodySource): ReadableStream<Uint8Array> | null {
  try {
    return exchange.stream(Number.POSITIVE_INFINITY)
  } catch {
    // The program has asked for the Request, which owns the stream where the runtime made it.
    return c.request.body
  }
}

/** Returns a stream that fails with 413 once `limit` bytes were read. The chunk that passes it is read whole. */
function upTo(stream: ReadableStream<Uint8Array>, limit: number): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  let left = limit
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left <= 0) throw tooLarge(limit)
        const { done, value } = await reader.read()
        if (done) return controller.close()
        left -= value.length
        controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

class Texts {
  readonly sent = new Map<string, string[]>()
  readonly #most: number
  readonly #files: { readonly name: string; size: number }[] = []
  #left: number

  constructor(most: number) {
    this.#most = most
    this.#left = most
  }

  async read(multipart: Multipart): Promise<void> {
    try {
      await this.#readParts(multipart)
    } catch (error) {
      // What came before is shown, as far as it was read.
      if (!isTooLarge(error)) throw error
    } finally {
      multipart.leave()
    }
  }

  async #readParts(multipart: Multipart): Promise<void> {
    for (let head = await multipart.next(); head; head = await multipart.next()) {
      if (head.filename === undefined) await this.#keep(head, multipart)
      else await this.#count(head.name, multipart)
    }
  }

  async #keep(head: PartHead, multipart: Multipart): Promise<void> {
    const chunks: Uint8Array[] = []
    let size = 0
    for (let chunk = await multipart.chunk(); chunk; chunk = await multipart.chunk()) {
      this.#left -= chunk.length
      if (this.#left < 0) throw tooLarge(this.#most)
      size += chunk.length
      // A chunk is a view of the bytes that arrived with it: those of files are not kept for it.
      chunks.push(chunk.slice())
    }
    const texts = this.sent.get(head.name) ?? []
    texts.push(textOf(concat(chunks, size), head))
    this.sent.set(head.name, texts)
  }

  async #count(name: string, multipart: Multipart): Promise<void> {
    const file = { name, size: 0 }
    this.#files.push(file)
    for (let chunk = await multipart.chunk(); chunk; chunk = await multipart.chunk())
      file.size += chunk.length
  }

  /** The issue about the largest file, or about the form if it has none. */
  issue(options: LargeFormOptions): Issue {
    const [first, second] = this.#files.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size)
    const { maxFile = this.#most } = options
    const isOne = first && (!second || first.size > Math.min(maxFile, this.#most))
    return isOne
      ? fileIssue(first.name, { code: "size", limit: Math.min(maxFile, this.#most) }, options)
      : fileIssue(first?.name ?? "", { code: "total", limit: this.#most }, options)
  }
}
