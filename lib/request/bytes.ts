/** Chunks of bytes as one. */

/** Joins arrays into one. */
export function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
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
