/** Extracts one file of a package's tarball during the download. */
import { createHash } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { extractFromTar } from "../../system/tar.ts"
import type { Bytes } from "../../tools/download.ts"

/** Digests of a tarball that was read to its end. */
export interface TarballDigests {
  /** The digest of the whole tarball, in npm's format: `sha512-…`. */
  readonly integrity: string
  /**
   * The digest of the file, in hexadecimal. If the tarball does not contain the file, it is the digest of zero
   * bytes.
   */
  readonly sha256: string
}

/**
 * Extracts the file `package/<name>` from a gzipped tarball.
 *
 * @throws the errors of zlib for bytes that are not gzip.
 */
export async function unpackFile(tarball: Bytes, name: string, into: FileHandle): Promise<TarballDigests> {
  const [tarballHash, fileHash] = [createHash("sha512"), createHash("sha256")]
  async function* hashTarball() {
    for await (const chunk of tarball) {
      tarballHash.update(chunk)
      yield chunk
    }
  }
  await pipeline(Readable.from(hashTarball()), createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of extractFromTar(source, `package/${name}`)) {
      fileHash.update(chunk)
      await into.writeFile(chunk)
    }
  })
  return { integrity: `sha512-${tarballHash.digest("base64")}`, sha256: fileHash.digest("hex") }
}
