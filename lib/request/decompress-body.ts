/** Decodes bodies in gzip and deflate while they are read. For routes with `bodyLimit(bytes, { decompress: true })`. */
import { badRequest } from "../errors.ts"
import type { BodyData, BodySource, Exchange } from "../exchange.ts"
import { limitStream, readAll } from "./body-streams.ts"
import { createCodingError, listCodings } from "./content-coding.ts"

type CompressionFormat = "gzip" | "deflate"

/**
 * Maximum number of encoded bytes that are decoded at once. Some runtimes decode a whole piece before they return, and
 * one byte can become a thousand.
 */
const maxPieceBytes = 1024

/** Returns a body whose readers get decoded bytes. Returns the exchange itself if the body has no coding. */
export function decompressBody(exchange: Exchange): BodySource {
  const codings = listCodings(exchange)
  return codings.length === 0 ? exchange : new DecompressedBody(exchange, codings)
}

class DecompressedBody implements BodySource {
  readonly hasBody = true
  readonly #exchange: Exchange
  readonly #codings: readonly string[]

  constructor(exchange: Exchange, codings: readonly string[]) {
    this.#exchange = exchange
    this.#codings = codings
  }

  /** Returns a header, but not those that describe the encoded bytes. */
  header(name: string): string {
    return encodedHeaders.includes(name) ? "" : this.#exchange.header(name)
  }

  read(limit: number): Promise<Uint8Array> {
    return readAll(this.stream(limit), limit)
  }

  stream(limit: number): ReadableStream<Uint8Array> | null {
    const format = this.#codings.length === 1 && findFormat(this.#codings[0] as string)
    if (format) return limitStream(decodeStream(this.#exchange.stream(limit), format), limit)
    const refusal = createCodingError(this.#exchange, "gzip, deflate")
    return new ReadableStream({ start: (controller) => controller.error(refusal) })
  }

  toRequest(body: BodyData): Request {
    const request = this.#exchange.toRequest(body)
    for (const name of encodedHeaders) request.headers.delete(name)
    return request
  }
}

/**
 * Returns the format of a coding that DecompressionStream can decode on every runtime. `x-gzip` is an old name of gzip
 * (RFC 9110 §8.4.1.3).
 */
function findFormat(coding: string): CompressionFormat | undefined {
  const name = coding.toLowerCase()
  if (name === "gzip" || name === "x-gzip") return "gzip"
  return name === "deflate" ? "deflate" : undefined
}

const encodedHeaders = ["content-encoding", "content-length"]

/** Returns the decoded bytes as a stream. It fails with an HttpError 400 if the bytes are not valid, or are cut off. */
function decodeStream(
  encoded: ReadableStream<Uint8Array> | null,
  format: CompressionFormat,
): ReadableStream<Uint8Array> | null {
  if (!encoded) return null
  const source = encoded.getReader()
  let chunk = new Uint8Array()
  let failure: unknown
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        while (chunk.length === 0) {
          const { done, value } = await source.read().catch((error: unknown) => {
            failure = error
            throw error
          })
          if (done) return controller.close()
          chunk = value as Uint8Array<ArrayBuffer>
        }
        controller.enqueue(chunk.subarray(0, maxPieceBytes))
        chunk = chunk.subarray(maxPieceBytes)
      },
    },
    { highWaterMark: 0 },
  )
  const decodedReader = pieces.pipeThrough(new DecompressionStream(format)).getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await decodedReader.read().catch((cause: unknown) => {
          throw failure ?? badRequest(`the body is not valid ${format}, or it ends too early`, { cause })
        })
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
