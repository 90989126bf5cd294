/** Reads and changes 64-bit Mach-O files: load commands, segments and offsets into the file. */
import { buildFault } from "../../messages/build.ts"

/** Load commands by number (`mach-o/loader.h`). */
export const commandNumbers = {
  symbols: 0x2,
  dynamicSymbols: 0xb,
  segment: 0x19,
  signature: 0x1d,
  splitInfo: 0x1e,
  functionStarts: 0x26,
  dataInCode: 0x29,
  linkerHint: 0x2e,
  exportsTrie: 0x8000_0033,
  chainedFixups: 0x8000_0034,
} as const

/** Processors by number (`mach/machine.h`). */
export const cpuNumbers = { amd64: 0x0100_0007, arm64: 0x0100_000c } as const

/** Offset of the commands, after the header. */
export const headerSize = 32
/** Sizes of a segment's command, and of each section's entry in it. */
export const segmentSize = 72
export const sectionSize = 80

/** A load command, and its position in the file. */
export interface LoadCommand {
  readonly number: number
  readonly at: number
  readonly size: number
}

/** A segment: a range of the file, and the addresses where it is loaded. */
export interface Segment {
  readonly name: string
  /** Offset of its load command in the file. */
  readonly at: number
  readonly address: number
  /** Size in memory, in bytes. */
  readonly memorySize: number
  readonly offset: number
  readonly size: number
  readonly sections: readonly Section[]
}

/** A section of a segment. */
export interface Section {
  readonly name: string
  readonly address: number
  readonly size: number
  readonly offset: number
}

/** The contents of a file's header. */
export interface MachO {
  readonly cpu: number
  readonly commands: readonly LoadCommand[]
  /** Offset of the end of the load commands. */
  readonly end: number
  readonly segments: readonly Segment[]
}

/**
 * Parses a file.
 *
 * @throws FwError `build_macho` for a file that is not a little-endian 64-bit executable.
 */
export function readMachO(file: Buffer): MachO {
  if (file.length < headerSize || file.readUInt32LE(0) !== 0xfeed_facf) refuse("it is not a Mach-O file of 64 bits")
  const commands: LoadCommand[] = []
  let at = headerSize
  for (let remaining = file.readUInt32LE(16); remaining > 0; remaining -= 1) {
    const size = at + 8 <= file.length ? file.readUInt32LE(at + 4) : 0
    if (size < 8 || at + size > file.length) refuse("its load commands are cut short")
    commands.push({ number: file.readUInt32LE(at), at, size })
    at += size
  }
  if (at !== headerSize + file.readUInt32LE(20)) refuse("its load commands are longer or shorter than it says")
  const segments = commands
    .filter(({ number }) => number === commandNumbers.segment)
    .map((found) => readSegment(file, found))
  return { cpu: file.readUInt32LE(4), commands, end: at, segments }
}

function readSegment(file: Buffer, { at }: LoadCommand): Segment {
  const sections: Section[] = []
  for (let i = 0; i < file.readUInt32LE(at + 64); i++) {
    const start = at + segmentSize + i * sectionSize
    sections.push({
      name: readName(file, start),
      address: readLong(file, start + 32),
      size: readLong(file, start + 40),
      offset: file.readUInt32LE(start + 48),
    })
  }
  return {
    name: readName(file, at + 8),
    at,
    address: readLong(file, at + 24),
    memorySize: readLong(file, at + 32),
    offset: readLong(file, at + 40),
    size: readLong(file, at + 48),
    sections,
  }
}

/**
 * Positions of the fields that contain offsets into the file, by load command. Those of segments are not in the list.
 */
const offsetFields: Readonly<Record<number, readonly number[]>> = {
  [commandNumbers.symbols]: [8, 16],
  [commandNumbers.dynamicSymbols]: [32, 40, 48, 56, 64, 72],
  [commandNumbers.splitInfo]: [8],
  [commandNumbers.functionStarts]: [8],
  [commandNumbers.dataInCode]: [8],
  [commandNumbers.linkerHint]: [8],
  [commandNumbers.exportsTrie]: [8],
  [commandNumbers.chainedFixups]: [8],
}

/** Adds a number to all offsets from a position on, after the data there was moved. */
export function moveOffsets(file: Buffer, { commands }: MachO, from: number, distance: number): void {
  for (const { number, at } of commands) {
    for (const field of offsetFields[number] ?? []) {
      const offset = file.readUInt32LE(at + field)
      // The offset of an empty table is 0.
      if (offset >= from) file.writeUInt32LE(offset + distance, at + field)
    }
  }
}

/**
 * Returns the segment with a name.
 *
 * @throws FwError `build_macho` if there is none.
 */
export function findSegment({ segments }: MachO, name: string): Segment {
  return segments.find((segment) => segment.name === name) ?? refuse(`it has no segment ${name}`)
}

/** Returns a copy without its signature, which is the last command and the last data in the file. */
export function removeSignature(node: Buffer): Buffer {
  const macho = readMachO(node)
  const signature = macho.commands.at(-1)
  if (signature?.number !== commandNumbers.signature) return Buffer.from(node)
  const start = node.readUInt32LE(signature.at + 8)
  const file = Buffer.from(node.subarray(0, start))
  file.fill(0, signature.at, signature.at + signature.size)
  file.writeUInt32LE(macho.commands.length - 1, 16)
  file.writeUInt32LE(macho.end - signature.size - headerSize, 20)
  const link = findSegment(macho, "__LINKEDIT")
  writeLong(file, start - link.offset, link.at + 48)
  return file
}

/** Returns the size of a page of memory, to whose multiples segments are aligned. */
export function getPageSize({ cpu: number }: MachO): number {
  return number === cpuNumbers.arm64 ? 0x4000 : 0x1000
}

/** Returns the first multiple of a size that is not below a number. */
export function alignUp(number: number, size: number): number {
  return Math.ceil(number / size) * size
}

/** Reads a 64-bit number. In existing files, all of them are below 2^53. */
function readLong(file: Buffer, at: number): number {
  return Number(file.readBigUInt64LE(at))
}

/** Writes a 64-bit number. */
export function writeLong(file: Buffer, value: number, at: number): void {
  file.writeBigUInt64LE(BigInt(value), at)
}

function readName(file: Buffer, at: number): string {
  return file.toString("latin1", at, at + 16).replace(/\0.*$/s, "")
}

/**
 * Rejects the file.
 *
 * @throws FwError `build_macho`, always.
 */
export function refuse(reason: string): never {
  throw buildFault("build_macho", [reason])
}
