/** Reads Mach-O signatures without code of fw, and creates small files to sign. */
import { createHash } from "node:crypto"

/** The content of a signature. */
export interface CodeSignature {
  readonly identifier: string
  readonly flags: number
  readonly version: number
  readonly pageSize: number
  readonly codeLimit: number
  readonly pages: number
  readonly execSegment: { readonly base: bigint; readonly limit: bigint; readonly flags: bigint }
  /** Pages whose hash differs from the one in the signature. */
  readonly wrong: readonly number[]
  /** The offset of the signature in the file. */
  readonly offset: number
  readonly size: number
}

/** Reads the signature of a file by the structures of xnu's `cs_blobs.h`, and hashes every page again. */
export function readSignature(file: Buffer): CodeSignature {
  const command = [...readCommands(file)].find(({ cmd }) => cmd === 0x1d)
  if (!command) throw new Error("the file has no LC_CODE_SIGNATURE")
  const offset = file.readUInt32LE(command.at + 8)
  const size = file.readUInt32LE(command.at + 12)
  const blob = file.subarray(offset, offset + size)
  if (blob.length !== size || blob.readUInt32BE(0) !== 0xfade0cc0)
    throw new Error("the signature does not begin with a superblob")
  for (let i = 0; i < blob.readUInt32BE(8); i++) {
    if (blob.readUInt32BE(12 + i * 8) !== 0) continue
    return { ...readDirectory(file, blob.subarray(blob.readUInt32BE(16 + i * 8))), offset, size }
  }
  throw new Error("the signature has no code directory")
}

function readDirectory(file: Buffer, cd: Buffer): Omit<CodeSignature, "offset" | "size"> {
  if (cd.readUInt32BE(0) !== 0xfade0c02) throw new Error("the code directory does not begin with its magic number")
  const hashes = cd.readUInt32BE(16)
  const identifier = cd.readUInt32BE(20)
  const pages = cd.readUInt32BE(28)
  const codeLimit = cd.readUInt32BE(32)
  const pageSize = 2 ** cd.readUInt8(39)
  if (cd.readUInt8(36) !== 32 || cd.readUInt8(37) !== 2)
    throw new Error("the hashes of the code directory are not SHA-256")
  if (cd.readUInt32BE(4) > cd.length || hashes + pages * 32 > cd.readUInt32BE(4))
    throw new Error("the code directory is cut short")
  const wrong: number[] = []
  for (let page = 0; page < pages; page++) {
    const bytes = file.subarray(page * pageSize, Math.min(codeLimit, (page + 1) * pageSize))
    const digest = createHash("sha256").update(bytes).digest()
    if (!digest.equals(cd.subarray(hashes + page * 32, hashes + page * 32 + 32))) wrong.push(page)
  }
  return {
    identifier: cd.toString("utf8", identifier, cd.indexOf(0, identifier)),
    version: cd.readUInt32BE(8),
    flags: cd.readUInt32BE(12),
    pageSize,
    codeLimit,
    pages,
    execSegment: {
      base: cd.readBigUInt64BE(64),
      limit: cd.readBigUInt64BE(72),
      flags: cd.readBigUInt64BE(80),
    },
    wrong,
  }
}

/** One load command. */
export interface Command {
  readonly cmd: number
  readonly at: number
  readonly size: number
}

/** Returns the load commands of a file. */
export function* readCommands(file: Buffer): Generator<Command> {
  let at = 32
  const end = at + file.readUInt32LE(20)
  for (let left = file.readUInt32LE(16); left > 0; left--) {
    const size = file.readUInt32LE(at + 4)
    yield { cmd: file.readUInt32LE(at), at, size }
    at += size
  }
  if (at !== end) throw new Error("the commands do not end where the header says")
}

/** Returns the segments with their positions in memory and in the file. */
export function readSegments(file: Buffer): { name: string; vm: [number, number]; file: [number, number] }[] {
  const long = (at: number) => Number(file.readBigUInt64LE(at))
  return [...readCommands(file)]
    .filter(({ cmd }) => cmd === 0x19)
    .map(({ at }) => ({
      name: file.toString("latin1", at + 8, file.indexOf(0, at + 8)),
      vm: [long(at + 24), long(at + 32)],
      file: [long(at + 40), long(at + 48)],
    }))
}

const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:0"
const signed = { cmd: 0x1d, size: 16 }

/** The parts of the table of pointers to adjust, wherever they are. */
export interface FixupTable {
  /** The description of the pointers of each segment; null if it has none. */
  readonly segments: readonly (Buffer | null)[]
  readonly imports: Buffer
  readonly symbols: Buffer
}

/** Reads the table by the structures of `mach-o/fixup-chains.h`. */
export function readFixups(file: Buffer): FixupTable {
  const command = [...readCommands(file)].find(({ cmd }) => cmd === 0x8000_0034)
  if (!command) throw new Error("the file has no fixups")
  const at = file.readUInt32LE(command.at + 8)
  const table = file.subarray(at, at + file.readUInt32LE(command.at + 12))
  const [starts, imports, symbols, count] = [4, 8, 12, 16].map((place) => table.readUInt32LE(place)) as [
    number,
    number,
    number,
    number,
  ]
  if (imports + count * 4 > symbols || symbols > table.length) throw new Error("the table overlaps itself")
  const segments = Array.from({ length: table.readUInt32LE(starts) }, (_, i) => {
    const offset = table.readUInt32LE(starts + 4 + 4 * i)
    if (offset === 0) return null
    const from = starts + offset
    const size = table.readUInt32LE(from)
    if (offset % 8 !== 0 || offset < 4 + 4 * table.readUInt32LE(starts) || from + size > imports)
      throw new Error(`the description of segment ${i} is not in its place`)
    return Buffer.from(table.subarray(from, from + size))
  })
  return {
    segments,
    imports: Buffer.from(table.subarray(imports, imports + count * 4)),
    symbols: Buffer.from(table.subarray(symbols)),
  }
}

/** Properties of an artificial Node for darwin. */
export interface Shape {
  readonly arm64: boolean
  /** True if the list in the fixups has room for another segment. */
  readonly slack: boolean
  /** The number of bytes between the commands and the first section. */
  readonly room: number
  readonly isSigned: boolean
  readonly fuses: number
}

/**
 * Creates a file of a few pages with the segments, tables and mark of a Node. Its tables contain their own names.
 */
export function makeMachO(given: Partial<Shape> = {}): Buffer {
  const { arm64 = true, slack = false, room = 400, isSigned = true, fuses = 1 } = given
  const page = arm64 ? 0x4000 : 0x1000
  const text = 2 * page
  const link = text + page
  const tables = ["exports.", "symbols.", "indirect", "strings.", "starts.."].map((name) => Buffer.from(name))
  const fixups = makeFixups(slack ? 4 : 5)
  const signature = 0x800
  const linkSize = signature + (isSigned ? 0x40 : 0)
  const file = Buffer.alloc(link + linkSize)
  fixups.copy(file, link)
  const at = (i: number) => link + fixups.length + 16 * i
  for (const [i, table] of tables.entries()) table.copy(file, at(i))
  const commands: Buffer[] = [
    segment("__PAGEZERO", [0, 0x1_0000_0000], [0, 0]),
    segment("__TEXT", [0x1_0000_0000, text], [0, text], "__text"),
    ...(slack ? [] : [segment("__DATA_CONST", [0x1_0000_0000 + text, 0], [text, 0])]),
    segment("__DATA", [0x1_0000_0000 + text, page], [text, page]),
    segment("__LINKEDIT", [0x1_0000_0000 + text + page, page], [link, linkSize]),
    numbers(0x8000_0034, link, fixups.length),
    numbers(0x8000_0033, at(0), 8),
    numbers(0x2, at(1), 1, at(3), 8),
    numbers(0xb, ...Array<number>(12).fill(0), at(2), 2, 0, 0, 0, 0),
    numbers(0x26, at(4), 8),
    // An empty table of data in code (`LC_DATA_IN_CODE`), as in the Node of node-bin.
    numbers(0x29, 0, 0),
    ...(isSigned ? [numbers(signed.cmd, link + signature, 0x40)] : []),
  ]
  const all = Buffer.concat(commands)
  // The first section begins after the free bytes.
  const section = 32 + all.length + room
  all.writeUInt32LE(section, 72 + 72 + 48)
  file.writeUInt32LE(0xfeedfacf, 0)
  file.writeUInt32LE(arm64 ? 0x0100000c : 0x01000007, 4)
  file.writeUInt32LE(2, 12)
  file.writeUInt32LE(commands.length, 16)
  file.writeUInt32LE(all.length, 20)
  all.copy(file, 32)
  for (let i = 0; i < fuses; i++) file.write(fuse, page + i * 0x100)
  file.write("data", text)
  return file
}

/** A symbol as a reader of `mach-o/nlist.h` finds it. */
export interface Symbol {
  readonly name: string
  readonly type: number
  readonly address: number
}

/**
 * Reads the symbols of a file, and the symbols that its indirect table names, at the positions in the load
 * commands.
 */
export function readSymbols(file: Buffer): {
  symbols: Symbol[]
  groups: number[]
  indirect: (Symbol | string)[]
} {
  const words = (cmd: number, count: number) => {
    const found = [...readCommands(file)].find((command) => command.cmd === cmd)
    return Array.from({ length: count }, (_, i) => file.readUInt32LE((found?.at as number) + 8 + i * 4))
  }
  const [entries = 0, count = 0, strings = 0, size = 0] = words(0x2, 4)
  const symbols = Array.from({ length: count }, (_, i) => {
    const at = entries + i * 16
    const name = strings + file.readUInt32LE(at)
    if (name >= strings + size) throw new Error(`the name of symbol ${i} is outside of its table`)
    const address = Number(file.readBigUInt64LE(at + 8))
    return {
      name: file.toString("latin1", name, file.indexOf(0, name)),
      type: file.readUInt8(at + 4),
      address,
    }
  })
  const all = words(0xb, 14)
  const indirect = Array.from({ length: all[13] as number }, (_, i) => {
    const number = file.readUInt32LE((all[12] as number) + i * 4)
    return number >= 0x4000_0000 ? number.toString(16) : (symbols[number] as Symbol)
  })
  return { symbols, groups: all.slice(0, 6), indirect }
}

/** Creates the fixups of this many segments. Only the one before the last has pointers. */
function makeFixups(segments: number): Buffer {
  const list = Math.ceil((4 + 4 * segments) / 8) * 8
  const [starts, imports] = [32, 32 + list + 24]
  const table = Buffer.alloc(imports + 4 + 12)
  for (const [i, value] of [0, starts, imports, imports + 4, 1, 1, 0].entries()) table.writeUInt32LE(value, i * 4)
  table.writeUInt32LE(segments, starts)
  table.writeUInt32LE(list, starts + 4 + 4 * (segments - 2))
  table.writeUInt32LE(24, starts + list)
  table.write("these are pointers..", starts + list + 4)
  table.write("impt", imports)
  table.write("\0_symbol\0", imports + 4)
  return table
}

function segment(name: string, vm: [number, number], at: [number, number], section?: string): Buffer {
  const buffer = Buffer.alloc(72 + (section ? 80 : 0))
  buffer.writeUInt32LE(0x19, 0)
  buffer.writeUInt32LE(buffer.length, 4)
  buffer.write(name, 8)
  for (const [i, value] of [...vm, ...at].entries()) buffer.writeBigUInt64LE(BigInt(value), 24 + i * 8)
  if (section) {
    buffer.writeUInt32LE(1, 64)
    buffer.write(section, 72)
    buffer.write(name, 88)
  }
  return buffer
}

function numbers(cmd: number, ...values: number[]): Buffer {
  const buffer = Buffer.alloc(8 + values.length * 4)
  buffer.writeUInt32LE(cmd, 0)
  buffer.writeUInt32LE(buffer.length, 4)
  for (const [i, value] of values.entries()) buffer.writeUInt32LE(value, 8 + i * 4)
  return buffer
}
