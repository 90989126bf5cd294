/** Writes ZIP archives (PKWARE APPNOTE 6.3.3, without ZIP64). The same files always give the same bytes. */

import { crc32, deflateRawSync } from "node:zlib"

// 1 January 1980, the earliest date that the format can express.
const dosDate = 0x21
const utf8Flag = 0x800

/**
 * Returns a ZIP archive.
 *
 * @param {ReadonlyArray<{ name: string, content: Uint8Array }>} files with forward slashes in their names.
 * @returns {Buffer}
 */
export function zip(files) {
  const parts = []
  const directory = []
  let offset = 0
  for (const { name, content } of files) {
    const compressed = deflateRawSync(content, { level: 9 })
    const path = Buffer.from(name)
    const commonFields = Buffer.alloc(26)
    commonFields.writeUInt16LE(20, 0)
    commonFields.writeUInt16LE(utf8Flag, 2)
    commonFields.writeUInt16LE(8, 4)
    commonFields.writeUInt16LE(dosDate, 8)
    commonFields.writeUInt32LE(crc32(content), 10)
    commonFields.writeUInt32LE(compressed.length, 14)
    commonFields.writeUInt32LE(content.length, 18)
    commonFields.writeUInt16LE(path.length, 22)
    const offsetFields = Buffer.alloc(14)
    offsetFields.writeUInt32LE(offset, 10)
    const localFile = Buffer.concat([Buffer.from("PK\x03\x04"), commonFields, path, compressed])
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), commonFields, offsetFields, path]))
    parts.push(localFile)
    offset += localFile.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, entries, Buffer.from("PK\x05\x06"), end])
}
