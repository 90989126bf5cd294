/** Joins and copies bytes. */

/** Joins several arrays to one. */
export function concatBytes(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks
  if (chunks.length === 1 && first) return first
  const result = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    result.set(chunk, offset)
    offset += chunk.byteLength
  }
  return result
}

/**
 * Returns bytes as a plain Uint8Array that has its memory for itself. They are copied only if they share their memory,
 * as those of a Buffer may.
 */
export function toOwnBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength !== bytes.buffer.byteLength) return new Uint8Array(bytes)
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer)
}
