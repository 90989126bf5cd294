/** Finds out when the body of a response is over, and how many bytes it had. */

/**
 * Calls a function with the number of bytes of a response's body when it is over: at once if the number is known.
 * Returns the response to send.
 *
 * @param size the number of bytes; null if it is not known.
 */
export function countBody(response: Response, size: number | null, onEnd: (bytes: number) => void): Response {
  const body = size === null ? response.body : null
  // The sender will report why a body cannot be read.
  if (body && !body.locked && !response.bodyUsed) return new Response(countBytes(body, onEnd), response)
  onEnd(size ?? 0)
  return response
}

/**
 * Returns a stream of the same bytes. Calls `onEnd` once with their number: at the end, after a failure, or after a
 * cancellation.
 */
export function countBytes(
  body: ReadableStream<Uint8Array>,
  onEnd: (bytes: number) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let bytes = 0
  let isOver = false
  // A cancellation also ends the read that is waiting, which looks like a second end of the stream.
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
