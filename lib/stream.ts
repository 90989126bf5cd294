/** A body out of what a program yields. Called by `c.stream()`. */

const encoder = new TextEncoder()

/** The stream of an async iterable's pieces. Nothing is asked of it before somebody reads; when nobody does any more, it returns. */
export function streamOf(source: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
