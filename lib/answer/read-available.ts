/** Reads what a stream has at once, and so finds out if a body is whole already or comes in pieces. */
import { platform } from "#platform"
import { concatBytes } from "../request/bytes.ts"

type ByteReader = ReadableStreamDefaultReader<Uint8Array>
type ReadResult = Awaited<ReturnType<ByteReader["read"]>>

/** Bytes that are kept of a body that has several pieces at once. One that has more is treated like one that waits. */
const maxKeptBytes = 4 * 1024 * 1024

/** Microtasks after which a piece that is there has been given. It is two on Node, Bun and Deno. */
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

/** Returns a stream of pieces, of a piece that is being read, and of those after it. */
function streamRest(reader: ByteReader, pieces: Uint8Array[], next: Promise<ReadResult>): ReadableStream<Uint8Array> {
  let reading: Promise<ReadResult> | undefined = next
  // It may fail before it is read.
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
