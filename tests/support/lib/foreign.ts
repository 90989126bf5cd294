/** Creates a Response like that of another package. */

/** Returns an object with the members of a Response that is no instance of this realm's Response. */
export function foreignResponse(body: ReadableStream<Uint8Array> | null, headers: Headers, status = 200): Response {
  return { status, statusText: "", headers, body, bodyUsed: false, arrayBuffer() {} } as unknown as Response
}
