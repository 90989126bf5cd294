/** Inserts a program's blob as a new segment into a Node for macOS. */

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

/**
 * The names of the section that Node looks for when it starts, and the marker before the byte that tells it to look
 * (`src/node_sea.cc`).
 */
const segmentName = "NODE_SEA"
const sectionName = "__NODE_SEA_BLOB"
const fuseMark = Buffer.from("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:")

/**
 * Returns the file with the blob and without its signature. The new segment is between the program's data and
 * `__LINKEDIT`, which must be last. Everything before it stays in place, so that no address changes.
 *
 * @throws FwError `build_macho` for a file that is not Node, or has no room for another load command.
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

/** Checks that the load commands can grow by a number of bytes without reaching the first section. */
function checkSpace({ end, segments }: MachO, needed: number): void {
  const starts = segments.flatMap(({ sections }) => sections.map(({ offset }) => offset))
  const first = Math.min(...starts.filter((offset) => offset > 0))
  // 16 bytes are for the command of the signature, which is added later.
  if (end + needed + 16 > first) refuse("its header has no room for another segment")
}

/** Moves `__LINKEDIT` in the file and in memory, and adjusts all offsets into it. */
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
  // Memory protection: read only.
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
