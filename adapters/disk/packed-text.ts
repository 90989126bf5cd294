/**
 * Text as numbers of eight bytes, which is copied in an eighth of the steps. A call of the engine takes longer for the few bytes
 * of a log line.
 */
import type { PackedText } from "../../lib/platform.ts"

const bytesOfNumber = 8
const encoder = new TextEncoder()

/** Returns a text with its UTF-8 bytes as numbers. They never form a NaN, of which a copy could have other bits. */
export function packText(text: string): PackedText {
  const bytes = encoder.encode(text)
  const numbers = new Float64Array(Math.ceil(bytes.length / bytesOfNumber))
  const padded = new Uint8Array(numbers.length * bytesOfNumber)
  padded.set(bytes)
  const view = new DataView(padded.buffer)
  for (const at of numbers.keys()) numbers[at] = view.getFloat64(at * bytesOfNumber, true)
  return { text, length: bytes.length, numbers }
}

/** The number of bytes that {@link copyPacked} needs for a text of this length: eight are written at a time. */
export const packedSize = (length: number): number => length + bytesOfNumber - 1

/** Copies a text to `at`. Up to seven bytes after it are overwritten too. */
export function copyPacked({ numbers }: PackedText, target: DataView, at: number): void {
  for (let index = 0; index < numbers.length; index++)
    target.setFloat64(at + index * bytesOfNumber, numbers[index] as number, true)
}
