/** Inserts a program's blob into a Node for darwin, as a new segment, and changes nothing else. */

import {
  alignUp,
  commandNumbers,
  findSegment,
  headerSize,
  type MachO,
  moveOffsets,
  pageSize,
  readMachO,
  refuse,
  removeSignature,
  sectionSize,
  segmentSize,
  writeLong,
} from "./macho.ts"
import { addSegmentToFixups } from "./macho-fixups.ts"

/** The section and the mark that Node looks for at its start (`src/node_sea.cc`). */
const segmentName = "NODE_SEA"
const sectionName = "__NODE_SEA_BLOB"
const fuseMark = Buffer.from("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:")

/**
 * Returns the file with the blob and without a signature. The new segment is between the program's data and
 * `__LINKEDIT`, which must be last; everything before it stays in place, so that no address changes.
 *
 * @throws FwError `build_macho` for a file that is not Node, or has no room for another command.
 */
export function insertBlob(node: Buffer, blob: Uint8Array): Buffer {
  const bare = addSegmentToFixups(removeSignature(node))
  const macho = readMachO(bare)
  const link = findSegment(macho, "__LINKEDIT")
  checkSpace(macho, segmentSize + sectionSize)
  const room = alignUp(blob.length, pageSize(macho))
  const file = Buffer.alloc(bare.length + room)
  bare.copy(file, 0, 0, link.offset)
  file.set(blob, link.offset)
  bare.copy(file, link.offset + room, link.offset)
  moveLinkEdit(file, macho, room)
  addSegment(file, macho, { blob: blob.length, room })
  setFuse(file)
  return file
}

/** Checks the room: commands may grow up to the first section. */
function checkSpace({ end, segments }: MachO, needed: number): void {
  const starts = segments.flatMap(({ sections }) => sections.map(({ offset }) => offset))
  const first = Math.min(...starts.filter((offset) => offset > 0))
  // The command of the signature is added again later.
  if (end + needed + 16 > first) refuse("its header has no room for another segment")
}

/** Moves `__LINKEDIT`, and all offsets into it, in the file and in memory. */
function moveLinkEdit(file: Buffer, macho: MachO, room: number): void {
  const link = findSegment(macho, "__LINKEDIT")
  writeLong(file, link.address + room, link.at + 24)
  writeLong(file, link.offset + room, link.at + 40)
  moveOffsets(file, macho, link.offset, room)
}

function addSegment(file: Buffer, macho: MachO, { blob, room }: { blob: number; room: number }): void {
  const link = findSegment(macho, "__LINKEDIT")
  const size = segmentSize + sectionSize
  file.copyWithin(link.at + size, link.at, macho.end)
  const added = Buffer.alloc(size)
  added.writeUInt32LE(commandNumbers.segment, 0)
  added.writeUInt32LE(size, 4)
  added.write(segmentName, 8, "latin1")
  writeLong(added, link.address, 24)
  writeLong(added, room, 32)
  writeLong(added, link.offset, 40)
  writeLong(added, room, 48)
  // Readable only.
  added.writeUInt32LE(1, 56)
  added.writeUInt32LE(1, 60)
  added.writeUInt32LE(1, 64)
  added.write(sectionName, segmentSize, "latin1")
  added.write(segmentName, segmentSize + 16, "latin1")
  writeLong(added, link.address, segmentSize + 32)
  writeLong(added, blob, segmentSize + 40)
  added.writeUInt32LE(link.offset, segmentSize + 48)
  added.copy(file, link.at)
  file.writeUInt32LE(macho.commands.length + 1, 16)
  file.writeUInt32LE(macho.end + size - headerSize, 20)
}

function setFuse(file: Buffer): void {
  const at = file.indexOf(fuseMark)
  if (at < 0 || file.indexOf(fuseMark, at + 1) >= 0)
    refuse("it has no single mark that says whether it holds a program")
  const mark = at + fuseMark.length
  if (file[mark] !== 0x30) refuse("it holds a program already")
  file[mark] = 0x31
}
