/** A Response as another package makes it. */

/** All that a Response has, and none of this realm. */
export function foreignResponse(body: ReadableStream<Uint8Array> | null, headers: Headers, status = 200): Response {
  return { status, statusText: "", headers, body, bodyUsed: false, arrayBuffer() {} } as unknown as Response
}
