/**
 * Stores large files in parts. S3 and R2 need to know the length of a request's body in advance, and a part that failed
 * can be sent again.
 */
import { concatBytes, toOwnBytes } from "../request/bytes.ts"
import type { Bytes } from "../static/serve-static.ts"
import type { Source } from "./engine.ts"

/**
 * Size of a part. S3 and R2 require at least 5 MiB and the same size for all parts except the last one, and allow
 * 10,000 parts; with 8 MiB a file can have 78 GiB.
 */
export const partBytes = 8 * 1024 * 1024

/** How many parts are sent at the same time, because a single connection often does not use the whole bandwidth. */
const maxParallelParts = 4

/** A file that is stored in parts. */
export interface PartUpload {
  /** The tags of the parts that are stored already. Each of these parts has {@link partBytes} bytes. */
  readonly tags: readonly string[]
  /** Stores a part and returns its tag. */
  putPart(number: number, bytes: Bytes): Promise<string>
  /** Makes one file of all parts. */
  complete(tags: readonly string[], size: number): Promise<unknown>
  abort(): Promise<unknown>
}

/** The calls of a service that stores large files in parts. */
export interface PartStore {
  /** Stores a small file at once. Default: it is stored as a single part. */
  putWhole?(bytes: Bytes): Promise<unknown>
  /** Begins a file that is stored in parts, or continues one. */
  begin(): Promise<PartUpload>
}

/**
 * Stores a file, at once or in parts. Several parts are sent at the same time. If that fails, the upload is aborted.
 *
 * @returns the size of the file, with the parts that were stored before.
 */
export async function storeInParts(source: Source, { putWhole, begin }: PartStore): Promise<number> {
  const sendPromises: Promise<string>[] = []
  let upload: PartUpload | undefined
  let size = 0
  try {
    for await (const bytes of readParts(source)) {
      if (!upload && putWhole && bytes.length < partBytes) {
        await putWhole(bytes)
        return bytes.length
      }
      upload ??= await begin()
      const number = upload.tags.length + sendPromises.length + 1
      size = (number - 1) * partBytes + bytes.length
      // The last part may be empty. Only an empty file needs it.
      if (bytes.length === 0 && number > 1) break
      // If there are too many parts, this one waits until an earlier one is stored.
      await sendPromises.at(-maxParallelParts)
      const promise = upload.putPart(number, bytes)
      // If the part fails, the error is thrown when the part is waited for.
      promise.catch(() => undefined)
      sendPromises.push(promise)
    }
    const tags = await Promise.all(sendPromises)
    await upload?.complete([...upload.tags, ...tags], size)
    return size
  } catch (error) {
    // A part that arrives after an abort would stay in the bucket.
    await Promise.allSettled(sendPromises)
    // An error of `abort()` would hide the first one, which says what was wrong.
    await upload?.abort().catch(() => undefined)
    throw error
  }
}

/**
 * Splits a source into parts. The last one is smaller than the others, and may be empty. The source is read only as far
 * as parts are asked for.
 */
async function* readParts(source: Source): AsyncGenerator<Bytes, void, undefined> {
  let chunks: Uint8Array[] = []
  let size = 0
  for await (let chunk of source) {
    while (size + chunk.length >= partBytes) {
      chunks.push(chunk.subarray(0, partBytes - size))
      chunk = chunk.subarray(partBytes - size)
      const bytes = joinChunks(chunks, partBytes)
      ;[chunks, size] = [[], 0]
      yield bytes
    }
    chunks.push(chunk)
    size += chunk.length
  }
  yield joinChunks(chunks, size)
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Bytes {
  return toOwnBytes(concatBytes(chunks, size)) as Bytes
}
