/** Creates the smallest possible Windows executable, and computes its checksum without code of fw. */

/** Properties of an artificial Node for Windows. */
export interface PeShape {
  /** Bytes of the signature after the last section; 0 if there is no signature. */
  readonly signature: number
}

/** Offsets of the headers. */
export const place = { pe: 0x80, checksum: 0x80 + 24 + 64, certificates: 0x80 + 24 + 112 + 4 * 8 } as const
/** Offset of the end of the last section. */
export const sectionsEnd = 0x800

/** Creates the file with two filled sections and a signature. */
export function makePe({ signature }: PeShape): Buffer {
  const file = Buffer.alloc(sectionsEnd + signature, "x")
  file.fill(0, 0, 0x400)
  file.write("MZ", 0)
  file.writeUInt32LE(place.pe, 0x3c)
  file.writeUInt32LE(0x4550, place.pe)
  file.writeUInt16LE(0x8664, place.pe + 4)
  file.writeUInt16LE(2, place.pe + 6)
  file.writeUInt16LE(240, place.pe + 20)
  const optional = place.pe + 24
  file.writeUInt16LE(0x20b, optional)
  file.writeUInt32LE(12345, place.checksum)
  file.writeUInt32LE(16, optional + 108)
  // An insertion moves other data to the position that the table's entry names.
  if (signature > 0) {
    file.writeUInt32LE(0x600, place.certificates)
    file.writeUInt32LE(signature, place.certificates + 4)
  }
  for (const [i, [size, offset]] of [
    [0x200, 0x400],
    [0x200, 0x600],
  ].entries()) {
    const section = optional + 240 + 40 * i
    file.writeUInt32LE(size as number, section + 16)
    file.writeUInt32LE(offset as number, section + 20)
  }
  return file
}

/**
 * Returns the checksum as ImageHlp computes it: 16 bits at a time, with the carry added at once, and the field
 * itself as zero.
 */
export function computeChecksum(file: Buffer): number {
  const at = file.readUInt32LE(0x3c) + 24 + 64
  const zeroed = Buffer.concat([file, Buffer.alloc(file.length % 2)])
  zeroed.writeUInt32LE(0, at)
  let sum = 0
  for (let i = 0; i < zeroed.length; i += 2) {
    sum += zeroed.readUInt16LE(i)
    if (sum > 0xffff) sum -= 0xffff
  }
  return sum + file.length
}
