/** Adds a segment to the table of a Mach-O file with which macOS adjusts pointers when it loads a program. */
import { alignUp, commandNumbers, findSegment, type MachO, moveOffsets, readMachO, refuse, writeLong } from "./macho.ts"

/** Offsets in the header of the table (`mach-o/fixup-chains.h`). */
const headerOffsets = { starts: 4, imports: 8, symbols: 12 } as const

/** The position of the table. */
interface FixupTable {
  /** Offset of the load command that describes the table. */
  readonly commandOffset: number
  readonly tableOffset: number
  /**
   * Offset of the table's list of segments. The list has the number of segments, and for each the offset, from the
   * list, of its pointers; 0 if it has none.
   */
  readonly listOffset: number
  /** The offsets in that list. */
  readonly offsets: readonly number[]
}

/**
 * Returns the file with one more segment in the table, before the last one. The new segment has no pointers. The
 * number of segments in the table must equal the program's: the loader of macOS 27 refuses a smaller number, which
 * older ones accept.
 *
 * @throws FwError `build_macho` if the table does not match the program.
 */
export function addSegmentToFixups(file: Buffer): Buffer {
  const macho = readMachO(file)
  const fixups = findFixups(file, macho)
  // Only newer programs have this table. The tables of older ones do not count segments.
  if (!fixups) return file
  const { listOffset, offsets } = fixups
  if (offsets.length !== macho.segments.length) refuse("its fixups list another number of segments")
  const listBytes = 4 + 4 * offsets.length
  const firstOffset = Math.min(...offsets.filter((offset) => offset > 0))
  // The data after the list has to be aligned to 64 bits.
  const addedBytes = firstOffset === Number.POSITIVE_INFINITY ? 8 : Math.max(0, alignUp(listBytes + 4, 8) - firstOffset)
  const extendedFile = Buffer.alloc(file.length + addedBytes)
  file.copy(extendedFile, 0, 0, listOffset + listBytes)
  file.copy(extendedFile, listOffset + listBytes + addedBytes, listOffset + listBytes)
  writeSegmentList(extendedFile, fixups, addedBytes)
  moveOffsets(extendedFile, macho, listOffset + listBytes, addedBytes)
  const link = findSegment(macho, "__LINKEDIT")
  writeLong(extendedFile, link.size + addedBytes, link.at + 48)
  return extendedFile
}

function findFixups(file: Buffer, { commands }: MachO): FixupTable | null {
  const found = commands.find(({ number }) => number === commandNumbers.chainedFixups)
  if (!found) return null
  const tableOffset = file.readUInt32LE(found.at + 8)
  const listOffset = tableOffset + file.readUInt32LE(tableOffset + headerOffsets.starts)
  const count = file.readUInt32LE(listOffset)
  const offsets = Array.from({ length: count }, (_, i) => file.readUInt32LE(listOffset + 4 + 4 * i))
  return { commandOffset: found.at, tableOffset, listOffset, offsets }
}

/** Writes the longer list, and moves the data after it. */
function writeSegmentList(file: Buffer, fixups: FixupTable, addedBytes: number): void {
  const { commandOffset, tableOffset, listOffset, offsets } = fixups
  const list = offsets.map((offset) => (offset === 0 ? 0 : offset + addedBytes))
  list.splice(-1, 0, 0)
  file.writeUInt32LE(list.length, listOffset)
  for (const [i, offset] of list.entries()) file.writeUInt32LE(offset, listOffset + 4 + 4 * i)
  for (const field of [headerOffsets.imports, headerOffsets.symbols]) {
    file.writeUInt32LE(file.readUInt32LE(tableOffset + field) + addedBytes, tableOffset + field)
  }
  file.writeUInt32LE(file.readUInt32LE(commandOffset + 12) + addedBytes, commandOffset + 12)
}
