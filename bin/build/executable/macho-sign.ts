/**
 * Signs a Mach-O file without a certificate ("ad hoc"). Such a signature proves only that the file was not changed
 * since.
 */
import { hash } from "node:crypto"
import { alignUp, commandNumbers, findSegment, getPageSize, headerSize, readMachO, refuse, writeLong } from "./macho.ts"

/** Numbers of the format (xnu, `osfmk/kern/cs_blobs.h`). Everything in a signature is big-endian. */
const magicNumbers = { superBlob: 0xfade_0cc0, codeDirectory: 0xfade_0c02 } as const
/** The first version of the code directory that has the position of the executable segment. */
const directoryVersion = 0x2_0400
/**
 * The flags for "ad hoc" and "signed by a linker". With the second, `codesign` replaces the signature without
 * `--force`.
 */
const adHocFlags = 0x2 | 0x2_0000
const sha256 = { number: 2, size: 32 } as const
/** Signatures hash pages of 4096 bytes, on arm64 too, although a page of memory is larger there. */
const pageBits = 12
const mainBinaryFlag = 1
const superBlobSize = 20
const directorySize = 88

/**
 * Returns the file with an ad-hoc signature at its end. A Mac with arm64 refuses to start a program without a
 * signature.
 *
 * @param file is not signed yet, and its header has room for one more load command.
 * @param identifier a name for the program, such as `shop`.
 */
export function signMachO(file: Buffer, identifier: string): Buffer {
  const { commands, end } = readMachO(file)
  if (commands.some(({ number }) => number === commandNumbers.signature)) refuse("it is signed already")
  const codeLimit = alignUp(file.length, 16)
  const pageCount = Math.ceil(codeLimit / (1 << pageBits))
  const name = Buffer.from(`${identifier}\0`)
  const directoryBytes = directorySize + name.length + pageCount * sha256.size
  const signatureBytes = alignUp(superBlobSize + directoryBytes, 16)
  const signedFile = Buffer.alloc(codeLimit + signatureBytes)
  file.copy(signedFile)
  signedFile.writeUInt32LE(commands.length + 1, 16)
  signedFile.writeUInt32LE(end + 16 - headerSize, 20)
  signedFile.writeUInt32LE(commandNumbers.signature, end)
  signedFile.writeUInt32LE(16, end + 4)
  signedFile.writeUInt32LE(codeLimit, end + 8)
  signedFile.writeUInt32LE(signatureBytes, end + 12)
  resizeLinkEdit(signedFile)
  // The header, which was changed above, is in one of the pages, so the pages are hashed last.
  const code = signedFile.subarray(0, codeLimit)
  writeSuperBlob(signedFile.subarray(codeLimit), directoryBytes)
  writeCodeDirectory(signedFile.subarray(codeLimit + superBlobSize), code, name, directoryBytes)
  return signedFile
}

/** Extends `__LINKEDIT` to the end of the file. */
function resizeLinkEdit(file: Buffer): void {
  const macho = readMachO(file)
  const link = findSegment(macho, "__LINKEDIT")
  const size = file.length - link.offset
  writeLong(file, size, link.at + 48)
  writeLong(file, alignUp(size, getPageSize(macho)), link.at + 32)
}

/** Writes the outer structure of the signature, whose only entry is the code directory. */
function writeSuperBlob(target: Buffer, directoryBytes: number): void {
  target.writeUInt32BE(magicNumbers.superBlob, 0)
  target.writeUInt32BE(superBlobSize + directoryBytes, 4)
  target.writeUInt32BE(1, 8)
  target.writeUInt32BE(0, 12)
  target.writeUInt32BE(superBlobSize, 16)
}

function writeCodeDirectory(target: Buffer, code: Buffer, name: Buffer, length: number): void {
  const text = findSegment(readMachO(code), "__TEXT")
  const hashes = directorySize + name.length
  const page = 1 << pageBits
  target.writeUInt32BE(magicNumbers.codeDirectory, 0)
  target.writeUInt32BE(length, 4)
  target.writeUInt32BE(directoryVersion, 8)
  target.writeUInt32BE(adHocFlags, 12)
  target.writeUInt32BE(hashes, 16)
  target.writeUInt32BE(directorySize, 20)
  target.writeUInt32BE(Math.ceil(code.length / page), 28)
  target.writeUInt32BE(code.length, 32)
  target.set([sha256.size, sha256.number, 0, pageBits], 36)
  target.writeBigUInt64BE(BigInt(text.offset), 64)
  target.writeBigUInt64BE(BigInt(text.size), 72)
  target.writeBigUInt64BE(BigInt(mainBinaryFlag), 80)
  name.copy(target, directorySize)
  for (let at = 0, slot = hashes; at < code.length; at += page, slot += sha256.size) {
    hash("sha256", code.subarray(at, at + page), "buffer").copy(target, slot)
  }
}
