/** Checks names of files and options, with the same rules for every engine. */
import { isMediaType } from "../answer/file-headers.ts"
import { isHeaderText } from "../request/headers.ts"
import { isFileName, reservedWindowsName } from "../static/file-names.ts"
import { findMediaType } from "../static/media-types.ts"
import type { Description } from "./engine.ts"
import { filesFault } from "./fault.ts"
import type { PutOptions } from "./types.ts"

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
  if (encoder.encode(name).length > maxNameBytes) return false
  return name.split("/").every((segment) => {
    const isShort = encoder.encode(segment).length <= maxSegmentBytes
    return isShort && isFileName(segment) && !reservedWindowsName.test(segment)
  })
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

/** Checks an option. @throws FwError `files` with the call, the value and the `fix`. */
export function checkOption(isValid: boolean, call: string, option: string, value: unknown, fix: string): void {
  if (!isValid) throw filesFault("files.option", [call, option, value, fix])
}

/** Checks that an option is a whole number in a range. @throws FwError `files` */
export function checkNumber(call: string, option: string, value: unknown, min: number, max: number): void {
  const isValid = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
  checkOption(isValid, call, option, value, `Write a whole number from ${min} to ${max}.`)
}

/**
 * Returns the type and the `Cache-Control` to store with a file. @throws FwError `files` for a value that is not valid.
 */
export function checkDescription(call: string, name: string, options: PutOptions): Description {
  const { type = findMediaType(name), cacheControl } = options
  checkOption(isMediaType(type) && isHeaderText(type), call, "type", type, "Write a media type, such as image/png.")
  const isHeader = cacheControl === undefined || (typeof cacheControl === "string" && isHeaderText(cacheControl))
  checkOption(isHeader, call, "cacheControl", cacheControl, "Write the text of the header.")
  return { type, cacheControl }
}
