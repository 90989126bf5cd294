/** Finds out when the body of a response is over, and how many bytes it had. */

import type { Context } from "../context.ts"
import { access } from "../context-access.ts"

/**
 * Calls a function with the number of bytes of a response's body: at once if it is known, otherwise when the body is
 * over. Returns the response to send.
 */
export function countBody(c: Context, response: Response, onEnd: (bytes: number) => void): Response {
  const bytes = c.method === "HEAD" ? 0 : access.getExchange(c).getSize(response)
  const body = bytes === null ? response.body : null
  // The sender will report why a body cannot be read.
  if (body && !body.locked && !response.bodyUsed) return new Response(countBytes(body, onEnd), response)
  onEnd(bytes ?? 0)
  return response
}

/**
 * Returns a stream of the same bytes. Calls `onEnd` once with their number: at the end, after a failure, or after a
 * cancellation.
 */
export function countBytes(body: ReadableStream<Uint8Array>, onEnd: (bytes: number) => void): ReadableStream<Uint8Array> {
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
