/** Reads what a stream has at once, and so finds out if a body is whole already or comes in pieces. */
import { platform } from "#platform"
import { concat } from "../request/bytes.ts"

type Reader = ReadableStreamDefaultReader<Uint8Array>
type Read = Awaited<ReturnType<Reader["read"]>>

/** Bytes that are kept of a body that has several pieces at once. One that has more is treated like one that waits. */
const most = 4 * 1024 * 1024

/** Microtasks after which a piece that is there has been given. It is two on Node, Bun and Deno. */
const turns = 20

/** Either all bytes of a body, or a stream of the same pieces. */
export interface Available {
  readonly whole?: Uint8Array
  readonly stream: ReadableStream<Uint8Array> | null
}

/**
 * Reads the pieces that a stream gives without waiting: those of `new Response(text)`. What it has read comes first in the
 * stream that it returns.
 */
export async function readAvailable(body: ReadableStream<Uint8Array>): Promise<Available> {
  const reader: Reader = body.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  let next: Promise<Read> = reader.read()
  try {
    for (;;) {
      const read = await Promise.race([next, late()])
      if (read?.done) return { whole: concat(pieces, size), stream: null }
      if (!(read?.value instanceof Uint8Array) || (pieces.length > 0 && size > most)) break
      pieces.push(read.value)
      size += read.value.byteLength
      next = reader.read()
    }
  } catch {
    // Anyone who reads the stream gets the error.
  }
  return { stream: continued(reader, pieces, next) }
}

/** Resolves before anything that waits for a timer, a disk or a network, so that the result does not depend on the load. */
async function late(): Promise<undefined> {
  if (platform.afterReads) await platform.afterReads()
  else for (let turn = 0; turn < turns; turn++) await undefined
}

/** Returns a stream of pieces, of a piece that is being read, and of those after it. */
function continued(reader: Reader, pieces: Uint8Array[], next: Promise<Read>): ReadableStream<Uint8Array> {
  let reading: Promise<Read> | undefined = next
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
