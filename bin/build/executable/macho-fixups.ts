/** The table by which macOS mends a program's pointers as it loads it, told of one segment more. Called by `macho-insert.ts`. */
import {
  aligned,
  command,
  type MachO,
  moveOffsets,
  readMachO,
  refuse,
  segmentOf,
  writeLong,
} from "./macho.ts"

/** Places in the head of the table (`mach-o/fixup-chains.h`). */
const head = { starts: 4, imports: 8, symbols: 12 } as const

/** Where the table is. */
interface Fixups {
  /** Its load command. */
  readonly command: number
  readonly at: number
  /** Its list of segments: how many, and for each the offset, from here, of what tells of its pointers; 0 where there are none. */
  readonly starts: number
  readonly offsets: readonly number[]
}

/**
 * The file with a table for one segment more, without pointers, before the last one. The number of segments in the table
 * has to be the program's: older loaders let a smaller one pass, that of macOS 27 does not.
 *
 * @throws FwError `build_macho` where the table does not fit the program.
 */
export function tellSegment(file: Buffer): Buffer {
  const macho = readMachO(file)
  const fixups = findFixups(file, macho)
  // Older programs have no such table, and none that counts segments.
  if (!fixups) return file
  const { starts, offsets } = fixups
  if (offsets.length !== macho.segments.length) refuse("its fixups tell of another number of segments")
  const listed = 4 + 4 * offsets.length
  const first = Math.min(...offsets.filter((offset) => offset > 0))
  // What comes behind the list is of 64 bits.
  const size = first === Number.POSITIVE_INFINITY ? 8 : Math.max(0, aligned(listed + 4, 8) - first)
  const grown = Buffer.alloc(file.length + size)
  file.copy(grown, 0, 0, starts + listed)
  file.copy(grown, starts + listed + size, starts + listed)
  writeList(grown, fixups, size)
  moveOffsets(grown, macho, starts + listed, size)
  const link = segmentOf(macho, "__LINKEDIT")
  writeLong(grown, link.size + size, link.at + 48)
  return grown
}

function findFixups(file: Buffer, { commands }: MachO): Fixups | null {
  const found = commands.find(({ number }) => number === command.chainedFixups)
  if (!found) return null
  const at = file.readUInt32LE(found.at + 8)
  const starts = at + file.readUInt32LE(at + head.starts)
  const offsets = Array.from({ length: file.readUInt32LE(starts) }, (_, i) =>
    file.readUInt32LE(starts + 4 + 4 * i),
  )
  return { command: found.at, at, starts, offsets }
}

/** Everything behind the list has moved by so many bytes. */
function writeList(file: Buffer, { command: at, at: table, starts, offsets }: Fixups, size: number): void {
  const list = offsets.map((offset) => (offset === 0 ? 0 : offset + size))
  list.splice(-1, 0, 0)
  file.writeUInt32LE(list.length, starts)
  for (const [i, offset] of list.entries()) file.writeUInt32LE(offset, starts + 4 + 4 * i)
  for (const place of [head.imports, head.symbols]) {
    file.writeUInt32LE(file.readUInt32LE(table + place) + size, table + place)
  }
  file.writeUInt32LE(file.readUInt32LE(at + 12) + size, at + 12)
}
