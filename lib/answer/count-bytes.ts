/** A stream that reports its end, for code that needs to know when a response is over. */

/** Passes a stream on and reports its size, once: at its end, when it fails, or when it is cancelled. */
export function countBytes(
  body: ReadableStream<Uint8Array>,
  onEnd: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  let isOver = false
  // Cancelling ends the pending read, which then looks like the end of the stream.
  const end = () => {
    if (!isOver) onEnd(bytes)
    isOver = true
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await reader.read().catch((error) => {
          end()
          throw error
        })
        if (chunk.done) {
          if (isOver) return
          end()
          return controller.close()
        }
        bytes += chunk.value.byteLength
        controller.enqueue(chunk.value)
      },
      cancel(reason) {
        end()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
