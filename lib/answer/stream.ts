/** A body out of what a program yields, for `c.stream()`. */
import { misuse } from "../fault.ts"
import type { Html } from "../html.ts"
import { textOf } from "../text.ts"

const encoder = new TextEncoder()

/**
 * The stream of an async iterable's pieces. Nothing is asked of it before somebody reads; when nobody does any more, it returns.
 *
 * @throws TypeError for what is not an async iterable.
 */
export function streamOf(source: AsyncIterable<Uint8Array | string | Html>): ReadableStream<Uint8Array> {
  if (typeof Object(source)[Symbol.asyncIterator] !== "function") throw misuse("stream", source)
  const iterator = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(bytesOf(value))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The bytes of one piece. @throws TypeError for what is neither bytes nor text nor markup. */
function bytesOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece
  const text = textOf(piece)
  if (text === undefined) throw misuse("stream.piece", piece)
  return encoder.encode(text)
}
