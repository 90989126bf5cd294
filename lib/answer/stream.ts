/** The body of `c.stream()`, from the values that a program yields. */
import { misuse } from "../errors/fault.ts"
import type { Html } from "../html.ts"
import { hasDeferredBlocks, toText } from "../text.ts"

const encoder = new TextEncoder()

/**
 * Returns a stream of the values of an async iterable. It asks for the first value only when it is read. When it is
 * cancelled, the iterable returns.
 *
 * @throws TypeError for a value that is not an async iterable.
 */
export function toStream(source: AsyncIterable<Uint8Array | string | Html>): ReadableStream<Uint8Array> {
  if (typeof Object(source)[Symbol.asyncIterator] !== "function") throw misuse("stream", source)
  const iterator = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(toBytes(value))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Returns the bytes of one value. @throws TypeError for a value that is neither bytes nor text nor markup. */
function toBytes(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece
  const text = toText(piece)
  if (text === undefined) throw misuse("stream.piece", piece)
  if (hasDeferredBlocks(piece, text)) throw misuse("deferred", "c.stream()")
  return encoder.encode(text)
}
