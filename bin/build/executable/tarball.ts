/** Extracts one file from a package's tarball while it is downloaded. */
import { createHash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import type { Bytes } from "../../tools/download.ts"
import { readTarHeader, tarBlock, tarPadding } from "../tar-header.ts"

/** Digests of a tarball that was read to its end. */
export interface Unpacked {
  /** Of all its bytes, in npm's format: `sha512-…`. */
  readonly integrity: string
  /** Of the file, in hexadecimal; null if the tarball does not contain it. */
  readonly sha256: string | null
}

/**
 * Writes the file `package/<name>` of a gzipped tarball (POSIX.1-2017, pax, "ustar Interchange Format").
 *
 * @throws the errors of zlib for bytes that are not gzip.
 */
export async function unpackFile(tarball: Bytes, name: string, into: FileHandle): Promise<Unpacked> {
  const whole = createHash("sha512")
  const reader = new TarReader(`package/${name}`, into)
  async function* hashed() {
    for await (const chunk of tarball) {
      whole.update(chunk)
      yield chunk
    }
  }
  await pipeline(Readable.from(hashed()), createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) await reader.push(chunk)
  })
  return { integrity: `sha512-${whole.digest("base64")}`, sha256: reader.digest }
}

/** Reads headers and skips everything but one file. */
class TarReader {
  readonly #wanted: string
  readonly #into: FileHandle
  readonly #hash = createHash("sha256")
  /** The part of a header that has arrived. */
  #header = Buffer.alloc(0)
  /** Remaining bytes of the current entry, and of the padding after it. */
  #left = 0
  #padding = 0
  #isWanted = false
  #found = false

  constructor(wanted: string, into: FileHandle) {
    this.#wanted = wanted
    this.#into = into
  }

  get digest(): string | null {
    return this.#found ? this.#hash.digest("hex") : null
  }

  async push(chunk: Buffer): Promise<void> {
    let at = 0
    while (at < chunk.length) {
      if (this.#left > 0) {
        const piece = chunk.subarray(at, at + this.#left)
        if (this.#isWanted) {
          this.#hash.update(piece)
          await this.#into.writeFile(piece)
        }
        this.#left -= piece.length
        at += piece.length
      } else if (this.#padding > 0) {
        const count = Math.min(this.#padding, chunk.length - at)
        this.#padding -= count
        at += count
      } else at += this.#readHeader(chunk.subarray(at))
    }
  }

  /** Reads a header. @returns the number of bytes used. */
  #readHeader(chunk: Buffer): number {
    const piece = chunk.subarray(0, tarBlock - this.#header.length)
    this.#header = Buffer.concat([this.#header, piece])
    if (this.#header.length < tarBlock) return piece.length
    const header = this.#header
    this.#header = Buffer.alloc(0)
    const { path, size, isFile } = readTarHeader(header)
    this.#isWanted = isFile && path === this.#wanted && !this.#found
    if (this.#isWanted) this.#found = true
    this.#left = size
    this.#padding = tarPadding(size)
    return piece.length
  }
}
