/** The names of files, which are checked once, for every engine. */
import { isFileName, reservedWindowsName } from "../static/file-names.ts"
import { filesFault } from "./fault.ts"

/** Bytes of a whole name. S3 and R2 allow 1024. */
const maxNameBytes = 1000
/** Bytes of a segment. File systems allow 255, and next to a file is another one with a longer name while it is written. */
const maxSegmentBytes = 180

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them, and a list of S3 is XML.
const invalidCharacter = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff\ud800-\udfff]/u

const encoder = new TextEncoder()

/** Returns true for a name that means one file in every engine: with one spelling, without dotfiles, and readable on Windows. */
export function isStorableName(name: unknown): name is string {
  if (typeof name !== "string" || invalidCharacter.test(name) || name !== name.normalize()) return false
  const segments = name.split("/")
  const isShort = encoder.encode(name).length <= maxNameBytes
  return isShort && segments.every((segment) => isFileName(segment) && isPortable(segment))
}

function isPortable(segment: string): boolean {
  return !reservedWindowsName.test(segment) && encoder.encode(segment).length <= maxSegmentBytes
}

/** Checks a name. @throws FwError `files` */
export function checkName(call: string, name: unknown): asserts name is string {
  if (!isStorableName(name)) throw filesFault("files.name", [call, name])
}

/** Checks the beginning of names. @throws FwError `files` for one with which no name begins. */
export function checkPrefix(prefix: unknown): asserts prefix is string {
  if (typeof prefix !== "string" || ![prefix, `${prefix}x`].some(isStorableName))
    throw filesFault("files.name", ["files.list()", prefix])
}
