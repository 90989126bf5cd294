/** Joins chunks of bytes. */

/** Joins arrays into one. */
export function concatBytes(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks
  if (chunks.length === 1 && first) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

/**
 * Returns bytes in their own memory, and not those of a subclass. Copies them only if the memory is shared, as that of a
 * Buffer is.
 */
export function toOwnBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength !== bytes.buffer.byteLength) return new Uint8Array(bytes)
  return bytes.constructor === Uint8Array ? bytes : new Uint8Array(bytes.buffer)
}
