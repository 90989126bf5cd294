/**
 * Writes the parts of an OCI image (Image Format Specification 1.1): blobs, layers and the documents that list
 * them.
 */
import { createHash, type Hash } from "node:crypto"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { type FilePart, readContent, type TarEntry, toFilePart, writeTar } from "../../system/tar.ts"
import type { NewFile } from "../../system/whole-file.ts"

/** Media types of the documents and layers that are written. */
export const mediaTypes = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
} as const

/** A reference to a blob, as OCI documents contain it. */
export interface Descriptor {
  readonly mediaType: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
  readonly platform?: { readonly os: string; readonly architecture: string }
  readonly annotations?: Readonly<Record<string, string>>
}

/** A blob with its content. */
export interface Blob {
  readonly descriptor: Descriptor
  readonly content: Uint8Array | FilePart
}

/** A layer: its compressed blob, and the digest of the archive before compression. */
export interface Layer {
  readonly blob: Blob
  readonly diffID: string
}

/** The configuration of an image. Fields that fw does not know are kept. */
export interface ImageConfig {
  readonly architecture: string
  readonly os: string
  readonly config?: Readonly<Record<string, unknown>>
  readonly rootfs: { readonly type: "layers"; readonly diff_ids: readonly string[] }
  readonly history?: readonly unknown[]
}

/** Returns a JSON document as a blob. */
export function toJSONBlob(mediaType: string, value: unknown): Blob {
  const content = Buffer.from(JSON.stringify(value))
  const digest = formatDigest(createHash("sha256").update(content))
  return { descriptor: { mediaType, digest, size: content.length }, content }
}

/** Writes a compressed layer to a file. The same entries always give the same bytes. */
export async function writeLayer(file: NewFile, entries: Iterable<TarEntry>): Promise<Layer> {
  const [plainHash, gzipHash] = [createHash("sha256"), createHash("sha256")]
  await pipeline(
    Readable.from(hashChunks(writeTar(entries), plainHash)),
    // zlib writes no time and no name into the header, so the bytes are always the same.
    createGzip(),
    (source: AsyncIterable<Uint8Array>) => hashChunks(source, gzipHash),
    (await file.open()).createWriteStream(),
  )
  const content = await toFilePart(file.path)
  const descriptor = { mediaType: mediaTypes.layer, digest: formatDigest(gzipHash), size: content.size }
  return { blob: { descriptor, content }, diffID: formatDigest(plainHash) }
}

/** Returns the SHA-256 digest of some content. */
export async function computeDigest(content: Uint8Array | FilePart): Promise<string> {
  const hash = createHash("sha256")
  for await (const chunk of readContent(content)) hash.update(chunk)
  return formatDigest(hash)
}

/** Returns the path of a blob in an image's layout. */
export function getBlobPath({ digest }: Descriptor): string {
  return `blobs/${digest.replace(":", "/")}`
}

async function* hashChunks(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
}

function formatDigest(hash: Hash): string {
  return `sha256:${hash.digest("hex")}`
}
