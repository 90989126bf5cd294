/** Finds out whether a body is already complete or is still arriving, by reading what its stream has at once. */
import { platform } from "#platform"
import { concatBytes } from "../request/bytes.ts"

type ByteReader = ReadableStreamDefaultReader<Uint8Array>
type ReadResult = Awaited<ReturnType<ByteReader["read"]>>

/**
 * Maximum number of bytes to keep in memory of a body with several pieces. A larger body is treated like one that is
 * still arriving.
 */
const maxKeptBytes = 4 * 1024 * 1024

/** Maximum number of microtasks until a stream returns a piece that it already has. Node, Bun and Deno need two. */
const maxMicrotasks = 20

/** All bytes of a body, or a stream of them. */
export interface AvailableBody {
  readonly bytes?: Uint8Array
  readonly stream: ReadableStream<Uint8Array> | null
}

/**
 * Reads the pieces that a stream has at once, as that of `new Response(text)` does. If the body is not complete,
 * returns a stream that begins with these pieces.
 */
export async function readAvailable(body: ReadableStream<Uint8Array>): Promise<AvailableBody> {
  const reader: ByteReader = body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  let readPromise: Promise<ReadResult> = reader.read()
  try {
    for (;;) {
      const result = await Promise.race([readPromise, waitBriefly()])
      if (result?.done) return { bytes: concatBytes(pieces, size), stream: null }
      if (!(result?.value instanceof Uint8Array) || (pieces.length > 0 && size > maxKeptBytes)) break
      pieces.push(result.value)
      size += result.value.byteLength
      readPromise = reader.read()
    }
  } catch {
    // The stream below passes the error on to its reader.
  }
  return { stream: streamRest(reader, pieces, readPromise) }
}

/**
 * Gives a stream time to return a piece that it already has. Waits for microtasks, unless the platform needs more. It
 * never waits for a disk or a network.
 */
async function waitBriefly(): Promise<undefined> {
  if (platform.waitForReads) await platform.waitForReads()
  else for (let turn = 0; turn < maxMicrotasks; turn++) await undefined
}

/** Returns a stream of the pieces that were read, of the piece that is being read, and of everything after it. */
function streamRest(
  reader: ByteReader,
  pieces: Uint8Array[],
  readPromise: Promise<ReadResult>,
): ReadableStream<Uint8Array> {
  let pendingRead: Promise<ReadResult> | undefined = readPromise
  // The read may fail before anything awaits it, and Node would end the process.
  readPromise.catch(() => {})
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (piece) return controller.enqueue(piece)
        const { done, value } = await (pendingRead ?? reader.read())
        pendingRead = undefined
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
