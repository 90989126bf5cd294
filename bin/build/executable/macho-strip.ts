/**
 * Removes the local symbols of a Mach-O executable, as `strip -x` of macOS does. On other systems, `strip` does not
 * know this format.
 */
import {
  commandNumbers,
  findSegment,
  type MachO,
  moveOffsets,
  readMachO,
  refuse,
  removeSignature,
  writeLong,
} from "./macho.ts"

/**
 * Size of an entry of the symbol table (`struct nlist_64` in `mach-o/nlist.h`): offset of the name, type, section,
 * description, address.
 */
const entrySize = 16

/** Offsets of the fields in the two load commands that describe symbols (`mach-o/loader.h`). */
const symbolTableFields = { symbols: 8, count: 12, names: 16, namesSize: 20 } as const
const symbolGroupFields = {
  locals: 8,
  localCount: 12,
  external: 16,
  undefined: 24,
  indirect: 56,
  indirectCount: 60,
} as const

/**
 * An entry of the indirect table with one of these bits names no symbol, because its symbol is local or absolute.
 */
const indirectLocal = 0x8000_0000
const indirectAbsolute = 0x4000_0000

/** The position of the symbol table. */
interface SymbolTable {
  /** Offset of the load command of the symbol table. */
  readonly at: number
  /** Offset of the load command that divides the symbols into groups. */
  readonly groupsAt: number
  /** Offset of the entries, and their number. */
  readonly entries: number
  readonly count: number
  /** Offset of the names, and their size in bytes. */
  readonly names: number
  readonly namesSize: number
  /** Number of local symbols. Linkers write them before all others. */
  readonly localCount: number
}

/**
 * Returns a copy without local symbols. It has no signature either, because the old one would be invalid. The
 * symbols that addons (Node-API) and dyld look up stay.
 *
 * @throws FwError `build_macho` for a file whose symbols are not in the order that linkers write.
 */
export function stripMachO(node: Buffer): Buffer {
  const file = removeSignature(node)
  const macho = readMachO(file)
  const symbols = findSymbols(file, macho)
  if (symbols === null || symbols.localCount === 0) return file
  const { at, groupsAt, entries, count, names, namesSize, localCount } = symbols
  const keptEntries = Buffer.from(file.subarray(entries + localCount * entrySize, entries + count * entrySize))
  const text = collectNames(keptEntries, file.subarray(names, names + namesSize))
  keptEntries.copy(file, entries)
  text.copy(file, names)
  file.writeUInt32LE(count - localCount, at + symbolTableFields.count)
  file.writeUInt32LE(text.length, at + symbolTableFields.namesSize)
  renumberSymbols(file, groupsAt, localCount)
  // The later range is removed first, so that the position of the earlier one does not change.
  const gaps = [
    { from: entries + keptEntries.length, to: entries + count * entrySize },
    { from: names + text.length, to: names + namesSize },
  ].sort((a, b) => b.from - a.from)
  return gaps.reduce((remaining, gap) => removeRange(remaining, gap), file)
}

function findSymbols(file: Buffer, { commands }: MachO): SymbolTable | null {
  const tableCommand = commands.find(({ number }) => number === commandNumbers.symbols)
  const groupCommand = commands.find(({ number }) => number === commandNumbers.dynamicSymbols)
  if (!tableCommand || !groupCommand) return null
  const readNumber = (at: number) => file.readUInt32LE(at)
  const localCount = readNumber(groupCommand.at + symbolGroupFields.localCount)
  const count = readNumber(tableCommand.at + symbolTableFields.count)
  const names = readNumber(tableCommand.at + symbolTableFields.names)
  const namesSize = readNumber(tableCommand.at + symbolTableFields.namesSize)
  const entries = readNumber(tableCommand.at + symbolTableFields.symbols)
  if (localCount > 0 && readNumber(groupCommand.at + symbolGroupFields.locals) !== 0)
    refuse("its local symbols are not the first ones")
  if (localCount > count || entries + count * entrySize > file.length || names + namesSize > file.length)
    refuse("its symbols are cut short")
  return { at: tableCommand.at, groupsAt: groupCommand.at, entries, count, names, namesSize, localCount }
}

/**
 * Collects the names of the symbols that stay, and makes their entries point to the new list of names. The list
 * begins with a zero byte, which is the empty name.
 */
function collectNames(entries: Buffer, names: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.alloc(1)]
  let length = 1
  for (let at = 0; at < entries.length; at += entrySize) {
    const start = entries.readUInt32LE(at)
    if (start === 0) continue
    const end = names.indexOf(0, start)
    if (end < 0) refuse("a symbol's name is cut short")
    entries.writeUInt32LE(length, at)
    parts.push(names.subarray(start, end + 1))
    length += end + 1 - start
  }
  // Some linkers store a name that ends like another one as a part of it. Then separate names need more space than
  // before.
  if (length > names.length) refuse("its names of symbols share bytes")
  // The table shrinks by a multiple of 16, so that the data after it stays aligned.
  return Buffer.concat([...parts, Buffer.alloc((names.length - length) % 16)])
}

/** Subtracts the removed symbols from the indexes of the symbols that stay. */
function renumberSymbols(file: Buffer, at: number, localCount: number): void {
  file.writeUInt32LE(0, at + symbolGroupFields.localCount)
  for (const field of [symbolGroupFields.external, symbolGroupFields.undefined]) {
    file.writeUInt32LE(file.readUInt32LE(at + field) - localCount, at + field)
  }
  const first = file.readUInt32LE(at + symbolGroupFields.indirect)
  const end = first + 4 * file.readUInt32LE(at + symbolGroupFields.indirectCount)
  for (let entry = first; entry < end; entry += 4) {
    const number = file.readUInt32LE(entry)
    if (number >= indirectAbsolute) continue
    file.writeUInt32LE(number < localCount ? indirectLocal : number - localCount, entry)
  }
}

/** Removes a range from `__LINKEDIT`, which is the last segment. */
function removeRange(file: Buffer, { from, to }: { from: number; to: number }): Buffer {
  const macho = readMachO(file)
  const link = findSegment(macho, "__LINKEDIT")
  moveOffsets(file, macho, to, from - to)
  writeLong(file, link.size - (to - from), link.at + 48)
  return Buffer.concat([file.subarray(0, from), file.subarray(to)])
}
