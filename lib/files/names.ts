/** Checks the names of files, with the same rules for every engine. */
import { isFileName, reservedWindowsName } from "../static/file-names.ts"
import { filesFault } from "./fault.ts"

/** Maximum number of bytes of a name. S3 and R2 allow 1024. */
const maxNameBytes = 1000
/**
 * Maximum number of bytes of a segment. File systems allow 255, and a file that is being written has a longer name for
 * that time.
 */
const maxSegmentBytes = 180

// biome-ignore lint/suspicious/noControlCharactersInRegex: S3 lists names in XML, which cannot contain them.
const invalidCharacter = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff\ud800-\udfff]/u

const encoder = new TextEncoder()

/**
 * Returns true for a name that means the same file in every engine: it has one spelling, no dotfiles, and is valid on
 * Windows.
 */
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

/** Checks a prefix of names. @throws FwError `files` if no valid name begins with it. */
export function checkPrefix(prefix: unknown): asserts prefix is string {
  if (typeof prefix !== "string" || ![prefix, `${prefix}x`].some(isStorableName))
    throw filesFault("files.name", ["files.list()", prefix])
}
