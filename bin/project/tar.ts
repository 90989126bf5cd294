/** Packs files into an npm tarball that depends on nothing else, and reads one. */

import { gunzipSync, gzipSync } from "node:zlib"
import { byCodeUnit } from "../../lib/order.ts"

/** A file of a package. */
export interface PackageFile {
  /** Relative to the package, with forward slashes. */
  readonly path: string
  readonly bytes: Uint8Array
  /** True for a program. Default: false. */
  readonly executable?: boolean
}

const block = 512
/** The time that npm gives every file of a package, in seconds. */
const mtime = 499_162_500
/** Limit in bytes, larger than any package of ours, so that other packages cannot fill the memory. */
const limit = 64_000_000

/**
 * Returns a gzipped tarball (POSIX.1-2017, pax, "ustar Interchange Format") like that of `npm pack`:
 * everything is below `package/`.
 */
export function packTar(files: readonly PackageFile[]): Buffer {
  const sorted = [...files].sort((a, b) => byCodeUnit(a.path, b.path))
  const parts = sorted.flatMap((file) => [
    header(file),
    file.bytes,
    Buffer.alloc((block - (file.bytes.length % block)) % block),
  ])
  const packed = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 6 })
  // Hides the system that packed it (RFC 1952 §2.3.1): unknown.
  packed[9] = 255
  return packed
}

function header({ path, bytes, executable }: PackageFile): Buffer {
  const { name, prefix } = split(`package/${path}`)
  const buffer = Buffer.alloc(block)
  const octal = (value: number, at: number, length: number) =>
    buffer.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, "latin1")
  buffer.write(name, 0)
  octal(executable ? 0o755 : 0o644, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(bytes.length, 124, 12)
  octal(mtime, 136, 12)
  buffer.write("        0", 148, "latin1")
  buffer.write("ustar\x0000", 257, "latin1")
  octal(0, 329, 8)
  octal(0, 337, 8)
  buffer.write(prefix, 345)
  const sum = buffer.reduce((total, byte) => total + byte, 0)
  buffer.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return buffer
}

/** Splits a path: a name has 100 bytes; the start of a longer path goes into the prefix, which has 155. */
function split(path: string): { name: string; prefix: string } {
  for (let at = -1; ; ) {
    const name = path.slice(at + 1)
    if (Buffer.byteLength(name) <= 100) return { name, prefix: at < 0 ? "" : path.slice(0, at) }
    at = path.indexOf("/", at + 1)
    if (at < 0) throw new RangeError(`the name of ${path} is too long for a tarball`)
  }
}

/**
 * Returns the files of a package's tarball. It reads only what `packTar` and `npm pack` write: links, long
 * names and other extensions are left out, and so make a package differ.
 *
 * @throws Error for bytes that are not gzip, or a tarball beyond 64 MB.
 */
export function readTar(tarball: Uint8Array): PackageFile[] {
  const tar = gunzipSync(tarball, { maxOutputLength: limit })
  const files: PackageFile[] = []
  for (let at = 0; at + block <= tar.length; ) {
    const text = (from: number, to: number) =>
      tar.toString("utf8", at + from, at + to).replace(/\0[\s\S]*$/, "")
    const name = text(0, 100)
    if (name === "") break
    const size = Number.parseInt(text(124, 136).trim() || "0", 8)
    if (!(size >= 0)) throw new Error("the tarball is damaged")
    const start = at + block
    const path = text(345, 500) === "" ? name : `${text(345, 500)}/${name}`
    if (["", "0"].includes(text(156, 157))) {
      const executable = (Number.parseInt(text(100, 108), 8) & 0o111) !== 0
      files.push({ path: path.replace(/^[^/]*\//, ""), bytes: tar.subarray(start, start + size), executable })
    }
    at = start + Math.ceil(size / block) * block
  }
  return files
}
