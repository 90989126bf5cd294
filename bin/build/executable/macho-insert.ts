/** Inserts a program's blob as a new segment into a Node for macOS. */

import {
  alignUp,
  commandNumbers,
  findSegment,
  getPageSize,
  headerSize,
  type MachO,
  moveOffsets,
  readMachO,
  refuse,
  removeSignature,
  sectionSize,
  segmentSize,
  writeLong,
} from "./macho.ts"
import { addSegmentToFixups } from "./macho-fixups.ts"

/**
 * The names of the segment and the section in which Node looks for a program when it starts, and the marker before the
 * byte that tells Node to look (`src/node_sea.cc`).
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
  const unsignedNode = addSegmentToFixups(removeSignature(node))
  const macho = readMachO(unsignedNode)
  const link = findSegment(macho, "__LINKEDIT")
  checkSpace(macho, segmentSize + sectionSize)
  const segmentBytes = alignUp(blob.length, getPageSize(macho))
  const file = Buffer.alloc(unsignedNode.length + segmentBytes)
  unsignedNode.copy(file, 0, 0, link.offset)
  file.set(blob, link.offset)
  unsignedNode.copy(file, link.offset + segmentBytes, link.offset)
  moveLinkEdit(file, macho, segmentBytes)
  addSegment(file, macho, { blob: blob.length, segmentBytes })
  setFuse(file)
  return file
}

/** Checks that the load commands can grow by a number of bytes without reaching the first section. */
function checkSpace({ end, segments }: MachO, neededBytes: number): void {
  const starts = segments.flatMap(({ sections }) => sections.map(({ offset }) => offset))
  const firstOffset = Math.min(...starts.filter((offset) => offset > 0))
  // 16 bytes are for the command of the signature, which is added later.
  if (end + neededBytes + 16 > firstOffset) refuse("its header has no room for another segment")
}

/** Moves `__LINKEDIT` in the file and in memory, and adjusts all offsets into it. */
function moveLinkEdit(file: Buffer, macho: MachO, segmentBytes: number): void {
  const link = findSegment(macho, "__LINKEDIT")
  writeLong(file, link.address + segmentBytes, link.at + 24)
  writeLong(file, link.offset + segmentBytes, link.at + 40)
  moveOffsets(file, macho, link.offset, segmentBytes)
}

function addSegment(file: Buffer, macho: MachO, { blob, segmentBytes }: { blob: number; segmentBytes: number }): void {
  const link = findSegment(macho, "__LINKEDIT")
  const size = segmentSize + sectionSize
  file.copyWithin(link.at + size, link.at, macho.end)
  const command = Buffer.alloc(size)
  command.writeUInt32LE(commandNumbers.segment, 0)
  command.writeUInt32LE(size, 4)
  command.write(segmentName, 8, "latin1")
  writeLong(command, link.address, 24)
  writeLong(command, segmentBytes, 32)
  writeLong(command, link.offset, 40)
  writeLong(command, segmentBytes, 48)
  // Memory protection: read only.
  command.writeUInt32LE(1, 56)
  command.writeUInt32LE(1, 60)
  command.writeUInt32LE(1, 64)
  command.write(sectionName, segmentSize, "latin1")
  command.write(segmentName, segmentSize + 16, "latin1")
  writeLong(command, link.address, segmentSize + 32)
  writeLong(command, blob, segmentSize + 40)
  command.writeUInt32LE(link.offset, segmentSize + 48)
  command.copy(file, link.at)
  file.writeUInt32LE(macho.commands.length + 1, 16)
  file.writeUInt32LE(macho.end + size - headerSize, 20)
}

function setFuse(file: Buffer): void {
  const at = file.indexOf(fuseMark)
  if (at < 0 || file.indexOf(fuseMark, at + 1) >= 0)
    refuse("it has no single mark that says whether it holds a program")
  const fuseOffset = at + fuseMark.length
  if (file[fuseOffset] !== 0x30) refuse("it holds a program already")
  file[fuseOffset] = 0x31
}
