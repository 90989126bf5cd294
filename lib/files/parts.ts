/**
 * Stores large files in parts. S3 and R2 need to know the length of a request's body in advance, and a part that failed
 * can be sent again.
 */
import { concatBytes, toOwnBytes } from "../request/bytes.ts"
import type { Bytes } from "../static/serve-static.ts"
import type { Source } from "./engine.ts"

/**
 * Size of a part. S3 and R2 require at least 5 MiB and the same size for all parts, and allow 10,000 parts; with 8 MiB
 * a file can have 78 GiB.
 */
export const partBytes = 8 * 1024 * 1024

/** How many parts are sent at the same time, because a single connection often does not use the whole bandwidth. */
const maxParallelParts = 4

/** A part of a file, and whether it is the last one. */
interface FilePart {
  readonly bytes: Bytes
  readonly isLast: boolean
}

/**
 * Splits a source into parts; an empty source has one part. The source is read only as far as parts are asked for.
 */
async function* readParts(source: Source): AsyncGenerator<FilePart, void, undefined> {
  let chunks: Uint8Array[] = []
  let size = 0
  for await (let chunk of source instanceof Uint8Array ? [source] : source) {
    while (size + chunk.length > partBytes) {
      chunks.push(chunk.subarray(0, partBytes - size))
      chunk = chunk.subarray(partBytes - size)
      const bytes = joinChunks(chunks, partBytes)
      ;[chunks, size] = [[], 0]
      yield { bytes, isLast: false }
    }
    chunks.push(chunk)
    size += chunk.length
  }
  yield { bytes: joinChunks(chunks, size), isLast: true }
}

/** The calls of a service that store a small file at once and a large file in parts. */
export interface PartStore {
  putWhole(bytes: Bytes): Promise<unknown>
  /** Begins a file that is stored in parts. */
  begin(): Promise<PartUpload>
}

/** A file that is stored in parts. */
export interface PartUpload {
  putPart(number: number, bytes: Bytes): Promise<unknown>
  complete(): Promise<unknown>
  abort(): Promise<unknown>
}

/** Stores a file, at once or in parts. If that fails, no part is left. Returns the number of bytes. */
export async function storeInParts(source: Source, store: PartStore): Promise<number> {
  let upload: PartUpload | undefined
  try {
    const size = await sendParts(source, 0, async ({ bytes, isLast }) => {
      if (isLast && !upload) await store.putWhole(bytes)
      else upload ??= await store.begin()
      return upload
    })
    await upload?.complete()
    return size
  } catch (error) {
    // An error of `abort()` would hide the first one, which says what was wrong.
    await upload?.abort().catch(() => undefined)
    throw error
  }
}

/** Stores the rest of a file and completes it. @param count the number of parts that are stored already. */
export async function storeRemainingParts(rest: Source, upload: PartUpload, count: number): Promise<void> {
  // There may be no bytes left to store, but a file needs at least one part.
  await sendParts(rest, count, async ({ bytes }) => (bytes.length > 0 || count === 0 ? upload : undefined))
  await upload.complete()
}

/**
 * Sends the parts of a source, several at the same time. If there are too many, the next part waits until the oldest one is
 * stored. Returns the number of bytes.
 *
 * @param count the number of parts that are stored already.
 * @param open returns the upload for a part; undefined for a part that is not sent.
 */
async function sendParts(
  source: Source,
  count: number,
  open: (part: FilePart) => Promise<PartUpload | undefined>,
): Promise<number> {
  const sendPromises: Promise<unknown>[] = []
  let number = count
  let size = 0
  try {
    for await (const part of readParts(source)) {
      size += part.bytes.length
      const upload = await open(part)
      if (!upload) continue
      if (sendPromises.length === maxParallelParts) await sendPromises.shift()
      const promise = upload.putPart(++number, part.bytes)
      // If the part fails, the error is thrown when the part is waited for.
      promise.catch(() => undefined)
      sendPromises.push(promise)
    }
    await Promise.all(sendPromises)
    return size
  } finally {
    // A part that arrives after an abort would stay in the bucket.
    await Promise.allSettled(sendPromises)
  }
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Bytes {
  return toOwnBytes(concatBytes(chunks, size)) as Bytes
}
