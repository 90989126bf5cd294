/** Corrects the headers of a Windows executable after a program was inserted into it. */
import { buildFault } from "../../messages/build.ts"

/**
 * Offsets in the headers (Microsoft, "PE Format"). The first is from the PE signature, the others are from the
 * optional header.
 */
const optionalHeaderOffset = 24
const fieldOffsets = { checksum: 64, directories: 108 } as const
/** Index of the attribute certificate table among the data directories. */
const certificateTableIndex = 4
const sectionHeaderSize = 40

/** Facts from the headers of a file. */
interface PeHeaders {
  /** Offset of the optional header. */
  readonly optionalHeader: number
  /** Offset of the header's entry for the certificate table; 0 if the file has none. */
  readonly certificates: number
  /** Offset at which the last section ends. */
  readonly sectionsEnd: number
}

/**
 * Returns the file with a correct checksum and without its signature, which the change has made invalid.
 *
 * @throws FwError `build_pe` for a file that is not a 64-bit Windows executable.
 */
export function finishPe(file: Buffer): Buffer {
  const headers = readHeaders(file)
  let correctedFile = file
  if (headers.certificates > 0 && file.readUInt32LE(headers.certificates + 4) > 0) {
    file.fill(0, headers.certificates, headers.certificates + 8)
    // The signature is the only data after the sections.
    correctedFile = file.subarray(0, headers.sectionsEnd)
  }
  const at = headers.optionalHeader + fieldOffsets.checksum
  correctedFile.writeUInt32LE(computeChecksum(correctedFile, at), at)
  return correctedFile
}

function readHeaders(file: Buffer): PeHeaders {
  const pe = file.length > 0x40 && file.readUInt16LE(0) === 0x5a4d ? file.readUInt32LE(0x3c) : file.length
  const optionalHeader = pe + optionalHeaderOffset
  if (
    optionalHeader + 240 > file.length ||
    file.readUInt32LE(pe) !== 0x4550 ||
    file.readUInt16LE(optionalHeader) !== 0x20b
  ) {
    throw buildFault("build_pe")
  }
  const directories = file.readUInt32LE(optionalHeader + fieldOffsets.directories)
  const entry = optionalHeader + fieldOffsets.directories + 4 + certificateTableIndex * 8
  const sections = optionalHeader + file.readUInt16LE(pe + 20)
  const ends = Array.from({ length: file.readUInt16LE(pe + 6) }, (_, i) => {
    const header = sections + i * sectionHeaderSize
    return file.readUInt32LE(header + 16) + file.readUInt32LE(header + 20)
  })
  return {
    optionalHeader,
    certificates: directories > certificateTableIndex ? entry : 0,
    sectionsEnd: Math.max(...ends),
  }
}

/**
 * Computes the checksum of a file: the sum of all 16-bit words except the checksum itself, with carries, plus the
 * length (`CheckSumMappedFile`).
 */
function computeChecksum(file: Buffer, at: number): number {
  let sum = 0
  const even = file.length & ~1
  for (let i = 0; i < even; i += 2) {
    // No sum reaches 2^53, because a file has fewer than 2^37 words.
    if (i !== at && i !== at + 2) sum += (file[i] as number) | ((file[i + 1] as number) << 8)
  }
  if (even < file.length) sum += file[even] as number
  while (sum > 0xffff) sum = (sum % 0x1_0000) + Math.floor(sum / 0x1_0000)
  return sum + file.length
}
