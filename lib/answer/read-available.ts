/** Reads what a stream can give at once, to find out whether a body is already complete or arrives in pieces. */
import { platform } from "#platform"
import { concatBytes } from "../request/bytes.ts"

type ByteReader = ReadableStreamDefaultReader<Uint8Array>
type ReadResult = Awaited<ReturnType<ByteReader["read"]>>

/**
 * Maximum number of bytes to keep of a body that has several pieces at once. A larger body is treated like one that
 * must be waited for.
 */
const maxKeptBytes = 4 * 1024 * 1024

/** Number of microtasks after which a piece that is available has been returned. It is two on Node, Bun and Deno. */
const maxMicrotasks = 20

/** Either all bytes of a body, or a stream of the same pieces. */
export interface AvailableBody {
  readonly whole?: Uint8Array
  readonly stream: ReadableStream<Uint8Array> | null
}

/**
 * Reads the pieces that a stream gives without waiting: those of `new Response(text)`. What it has read comes first in the
 * stream that it returns.
 */
export async function readAvailable(body: ReadableStream<Uint8Array>): Promise<AvailableBody> {
  const reader: ByteReader = body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  let next: Promise<ReadResult> = reader.read()
  try {
    for (;;) {
      const read = await Promise.race([next, waitBriefly()])
      if (read?.done) return { whole: concatBytes(pieces, size), stream: null }
      if (!(read?.value instanceof Uint8Array) || (pieces.length > 0 && size > maxKeptBytes)) break
      pieces.push(read.value)
      size += read.value.byteLength
      next = reader.read()
    }
  } catch {
    // Anyone who reads the stream gets the error.
  }
  return { stream: streamRest(reader, pieces, next) }
}

/** Resolves before anything that waits for a timer, a disk or a network, so that the result does not depend on the load. */
async function waitBriefly(): Promise<undefined> {
  if (platform.waitForReads) await platform.waitForReads()
  else for (let turn = 0; turn < maxMicrotasks; turn++) await undefined
}

/** Returns a stream of the given pieces, then of the piece that is being read, then of the rest. */
function streamRest(reader: ByteReader, pieces: Uint8Array[], next: Promise<ReadResult>): ReadableStream<Uint8Array> {
  let reading: Promise<ReadResult> | undefined = next
  // The read may fail before anything waits for it.
  next.catch(() => {})
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (piece) return controller.enqueue(piece)
        const { done, value } = await (reading ?? reader.read())
        reading = undefined
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
