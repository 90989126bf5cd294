/** Adds a segment to the table of a Mach-O file with which macOS adjusts pointers when it loads a program. */
import { alignUp, commandNumbers, findSegment, type MachO, moveOffsets, readMachO, refuse, writeLong } from "./macho.ts"

/** Offsets in the header of the table (`mach-o/fixup-chains.h`). */
const headerOffsets = { starts: 4, imports: 8, symbols: 12 } as const

/** The position of the table. */
interface FixupTable {
  /** Offset of the load command that describes it. */
  readonly command: number
  readonly at: number
  /**
   * Offset of the table's list of segments. The list has the number of segments, and for each the offset, from the
   * list, of its pointers; 0 if it has none.
   */
  readonly starts: number
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
  const { starts, offsets } = fixups
  if (offsets.length !== macho.segments.length) refuse("its fixups list another number of segments")
  const listBytes = 4 + 4 * offsets.length
  const first = Math.min(...offsets.filter((offset) => offset > 0))
  // The data after the list has to be aligned to 64 bits.
  const size = first === Number.POSITIVE_INFINITY ? 8 : Math.max(0, alignUp(listBytes + 4, 8) - first)
  const extendedFile = Buffer.alloc(file.length + size)
  file.copy(extendedFile, 0, 0, starts + listBytes)
  file.copy(extendedFile, starts + listBytes + size, starts + listBytes)
  writeSegmentList(extendedFile, fixups, size)
  moveOffsets(extendedFile, macho, starts + listBytes, size)
  const link = findSegment(macho, "__LINKEDIT")
  writeLong(extendedFile, link.size + size, link.at + 48)
  return extendedFile
}

function findFixups(file: Buffer, { commands }: MachO): FixupTable | null {
  const found = commands.find(({ number }) => number === commandNumbers.chainedFixups)
  if (!found) return null
  const at = file.readUInt32LE(found.at + 8)
  const starts = at + file.readUInt32LE(at + headerOffsets.starts)
  const offsets = Array.from({ length: file.readUInt32LE(starts) }, (_, i) => file.readUInt32LE(starts + 4 + 4 * i))
  return { command: found.at, at, starts, offsets }
}

/** Writes the longer list, and moves the data after it. */
function writeSegmentList(file: Buffer, { command: at, at: table, starts, offsets }: FixupTable, size: number): void {
  const list = offsets.map((offset) => (offset === 0 ? 0 : offset + size))
  list.splice(-1, 0, 0)
  file.writeUInt32LE(list.length, starts)
  for (const [i, offset] of list.entries()) file.writeUInt32LE(offset, starts + 4 + 4 * i)
  for (const field of [headerOffsets.imports, headerOffsets.symbols]) {
    file.writeUInt32LE(file.readUInt32LE(table + field) + size, table + field)
  }
  file.writeUInt32LE(file.readUInt32LE(at + 12) + size, at + 12)
}
