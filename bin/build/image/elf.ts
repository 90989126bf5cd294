/** Reads which loader and libraries a Linux program needs (System V ABI, "Program Loading and Dynamic Linking"). */
import { type FileHandle, open } from "node:fs/promises"

/** The loader and the libraries that a program or library needs. */
export interface ElfNeeds {
  /** Path of the program that loads it, such as `/lib64/ld-linux-x86-64.so.2`. Libraries have none. */
  readonly loader: string | null
  /** Names of the libraries, such as `libc.so.6`. */
  readonly libraries: readonly string[]
}

const segmentTypes = { load: 1, dynamic: 2, interpreter: 3 }
const dynamicTags = { end: 0, needed: 1, strings: 5 }

interface Segment {
  readonly type: number
  readonly offset: number
  readonly address: number
  readonly size: number
}

/** Returns the needs of a 64-bit Linux file; null for any other file. */
export async function readElfNeeds(path: string): Promise<ElfNeeds | null> {
  const file = await open(path, "r")
  try {
    const head = await readBytes(file, 0, 64)
    // The magic number, and the bytes for 64 bits and little endian.
    if (head.length < 64 || head.readUInt32BE(0) !== 0x7f45_4c46 || head.readUInt16BE(4) !== 0x0201) return null
    const segments = await readSegments(file, head)
    const interpreterSegment = segments.find(({ type }) => type === segmentTypes.interpreter)
    const loader = interpreterSegment
      ? readText(await readBytes(file, interpreterSegment.offset, interpreterSegment.size), 0)
      : null
    return { loader, libraries: await readLibraryNames(file, segments) }
  } finally {
    await file.close()
  }
}

async function readSegments(file: FileHandle, head: Buffer): Promise<Segment[]> {
  const [size, count] = [head.readUInt16LE(54), head.readUInt16LE(56)]
  const table = await readBytes(file, Number(head.readBigUInt64LE(32)), size * count)
  return Array.from({ length: Math.floor(table.length / size) }, (_, index) => {
    const at = index * size
    const readLong = (offset: number) => Number(table.readBigUInt64LE(at + offset))
    return { type: table.readUInt32LE(at), offset: readLong(8), address: readLong(16), size: readLong(32) }
  })
}

async function readLibraryNames(file: FileHandle, segments: readonly Segment[]): Promise<string[]> {
  const dynamic = segments.find(({ type }) => type === segmentTypes.dynamic)
  if (!dynamic) return []
  const table = await readBytes(file, dynamic.offset, dynamic.size)
  const nameOffsets: number[] = []
  let stringsAddress = 0
  for (let at = 0; at + 16 <= table.length; at += 16) {
    const [kind, value] = [Number(table.readBigInt64LE(at)), Number(table.readBigUInt64LE(at + 8))]
    if (kind === dynamicTags.end) break
    if (kind === dynamicTags.needed) nameOffsets.push(value)
    if (kind === dynamicTags.strings) stringsAddress = value
  }
  const stringsSegment = segments.find(
    ({ type, address, size }) =>
      type === segmentTypes.load && stringsAddress >= address && stringsAddress < address + size,
  )
  if (!stringsSegment) return []
  const start = stringsAddress - stringsSegment.address + stringsSegment.offset
  return Promise.all(nameOffsets.map(async (offset) => readText(await readBytes(file, start + offset, 256), 0)))
}

async function readBytes(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

function readText(bytes: Buffer, from: number): string {
  const end = bytes.indexOf(0, from)
  return bytes.toString("latin1", from, end < 0 ? bytes.length : end)
}
