/** Reads ZIP archives by their central directory (PKWARE APPNOTE 6.3.3). */

import { crc32, inflateRawSync } from "node:zlib"

/** Returns the files of an archive. @throws Error if a checksum is wrong. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf("PK\x05\x06")
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    const [packed, size] = [archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)]
    const lengths = [28, 30, 32].map((field) => archive.readUInt16LE(at + field))
    const name = archive.toString("utf8", at + 46, at + 46 + (lengths[0] ?? 0))
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const content = inflateRawSync(archive.subarray(start, start + packed))
    if (content.length !== size || crc32(content) !== archive.readUInt32LE(at + 16)) {
      throw new Error(`${name} is damaged`)
    }
    files.set(name, content)
    at += 46 + lengths.reduce((sum, length) => sum + length, 0)
  }
  return files
}
