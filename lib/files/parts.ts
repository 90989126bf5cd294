/** Large files are stored in parts: a service wants to know the length of what it is sent, and a part can be sent again. */
import { concatBytes, toOwnBytes } from "../request/bytes.ts"
import type { Bytes } from "../static/serve-static.ts"
import type { Source } from "./engine.ts"

/** Bytes of a part. S3 and R2 want 5 MiB or more, parts of one size, and at most 10,000 of them: 78 GiB. */
export const partBytes = 8 * 1024 * 1024

/** A part of a file, and whether it is the last one. */
interface FilePart {
  readonly bytes: Bytes
  readonly isLast: boolean
}

/** Splits bytes into parts, one of them at least. One part is in memory at a time, and what the stream has read ahead. */
export async function* readParts(source: Source): AsyncGenerator<FilePart, void, undefined> {
  let chunks: Uint8Array[] = []
  let size = 0
  for await (let chunk of source instanceof Uint8Array ? [source] : source) {
    while (size + chunk.length > partBytes) {
      chunks.push(chunk.subarray(0, partBytes - size))
      chunk = chunk.subarray(partBytes - size)
      const bytes = join(chunks, partBytes)
      ;[chunks, size] = [[], 0]
      yield { bytes, isLast: false }
    }
    chunks.push(chunk)
    size += chunk.length
  }
  yield { bytes: join(chunks, size), isLast: true }
}

/** What a service does with a file: it stores a small one at once, and parts of a large one. */
export interface PartStore {
  putWhole(bytes: Bytes): Promise<unknown>
  /** Begins a file of several parts. */
  begin(): Promise<PartUpload>
}

/** A file that is stored in parts. */
export interface PartUpload {
  putPart(number: number, bytes: Bytes): Promise<unknown>
  complete(): Promise<unknown>
  abort(): Promise<unknown>
}

/** Stores a file at once or in parts. If that fails, no part is left. Returns its size in bytes. */
export async function storeInParts(source: Source, store: PartStore): Promise<number> {
  let upload: PartUpload | undefined
  let size = 0
  let number = 0
  try {
    for await (const { bytes, isLast } of readParts(source)) {
      size += bytes.length
      if (isLast && !upload) await store.putWhole(bytes)
      else {
        upload ??= await store.begin()
        await upload.putPart(++number, bytes)
      }
    }
    await upload?.complete()
    return size
  } catch (error) {
    // The first error says what was wrong.
    await upload?.abort().catch(() => undefined)
    throw error
  }
}

/** Stores the rest of a file, of which some parts are stored, and completes it. */
export async function storeParts(rest: Source, upload: PartUpload, count: number): Promise<void> {
  let number = count
  for await (const { bytes } of readParts(rest)) {
    // There may be no rest, and a file has one part at least.
    if (bytes.length > 0 || number === 0) await upload.putPart(++number, bytes)
  }
  await upload.complete()
}

function join(chunks: readonly Uint8Array[], size: number): Bytes {
  return toOwnBytes(concatBytes(chunks, size)) as Bytes
}
