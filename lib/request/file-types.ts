/** Finds the kind of a file from its first bytes. Names and headers are only claims of the client. */

import { checkFields, describeType, formatValue, isTextList } from "../text.ts"

/** Bytes that are needed to know a type: the longest signature below, and enough of a text to find `<svg`. */
export const signatureBytes = 512

/** One kind of file: the media type, and the bytes that it begins with at an offset. `?` is any byte. */
type Signature = readonly [type: string, bytes: string, offset?: number]

/**
 * The types that can be known by content. The first that fits counts.
 *
 * Sources: the MIME Sniffing standard (§6) for images, audio, video, fonts and archives, and the formats' own
 * specifications for the rest.
 */
const signatures: readonly Signature[] = [
  ["image/png", "89 50 4e 47 0d 0a 1a 0a"],
  ["image/jpeg", "ff d8 ff"],
  ["image/gif", "47 49 46 38 37 61"],
  ["image/gif", "47 49 46 38 39 61"],
  ["image/webp", "52 49 46 46 ? ? ? ? 57 45 42 50"],
  ["image/avif", "66 74 79 70 61 76 69 66", 4],
  ["image/avif", "66 74 79 70 61 76 69 73", 4],
  ["image/heic", "66 74 79 70 68 65 69 63", 4],
  ["image/heic", "66 74 79 70 6d 69 66 31", 4],
  ["image/bmp", "42 4d ? ? ? ? 00 00 00 00"],
  ["image/x-icon", "00 00 01 00"],
  ["image/tiff", "49 49 2a 00"],
  ["image/tiff", "4d 4d 00 2a"],
  ["application/pdf", "25 50 44 46 2d"],
  ["application/zip", "50 4b 03 04"],
  ["application/zip", "50 4b 05 06"],
  ["application/gzip", "1f 8b 08"],
  ["application/x-7z-compressed", "37 7a bc af 27 1c"],
  ["application/zstd", "28 b5 2f fd"],
  ["application/x-tar", "75 73 74 61 72", 257],
  ["audio/mpeg", "49 44 33"],
  ["audio/mpeg", "ff fb"],
  ["audio/mpeg", "ff f3"],
  ["audio/flac", "66 4c 61 43"],
  ["audio/wav", "52 49 46 46 ? ? ? ? 57 41 56 45"],
  ["audio/mp4", "66 74 79 70 4d 34 41", 4],
  ["audio/ogg", "4f 67 67 53 00"],
  ["video/webm", "1a 45 df a3"],
  ["video/quicktime", "66 74 79 70 71 74 20 20", 4],
  ["video/mp4", "66 74 79 70", 4],
  ["video/x-msvideo", "52 49 46 46 ? ? ? ? 41 56 49 20"],
  ["font/woff2", "77 4f 46 32"],
  ["font/woff", "77 4f 46 46"],
  ["font/ttf", "00 01 00 00 00"],
  ["font/otf", "4f 54 54 4f"],
]

/** SVG is text that can hold scripts: it is a type only where a program names it. */
export const svgType = "image/svg+xml"

/** Every type that {@link detectType} knows. */
export const knownTypes: readonly string[] = [...new Set(signatures.map(([type]) => type)), svgType]

/**
 * The type of a file by its first bytes; `""` for a file of no known type.
 *
 * @param head its first {@link signatureBytes} bytes, or all of a shorter one.
 */
export function detectType(head: Uint8Array): string {
  const found = signatures.find(([, bytes, offset = 0]) => matchesSignature(head, bytes.split(" "), offset))
  if (found) return found[0]
  const text = new TextDecoder().decode(head)
  // A prolog, comments and a doctype may come before the element (XML 1.0 §2.8).
  return /^\uFEFF?\s*(?:<\?xml|<!--|<!DOCTYPE\s+svg|<svg[\s>])/i.test(text) && /<svg[\s>]/i.test(text) ? svgType : ""
}

function matchesSignature(head: Uint8Array, bytes: readonly string[], offset: number): boolean {
  return bytes.every((byte, i) =>
    byte === "?" ? offset + i < head.length : head[offset + i] === Number.parseInt(byte, 16),
  )
}

/** The options of a call that takes forms, next to `fileMessage`: its limits by name, and its lists of names. */
export interface FileRules {
  readonly limits: readonly string[]
  readonly lists: readonly string[]
}

/**
 * Checks the options of a call that takes forms. A type is one of those that are recognised, or a whole kind such as
 * `image/*`.
 *
 * @param call what the message names.
 * @throws TypeError that says what to write.
 */
export function checkFileRules(call: string, options: object, { limits, lists }: FileRules): void {
  checkFields(options, [...limits, ...lists, "fileMessage"], `${call} takes as its options`)
  const given = options as Readonly<Record<string, unknown>>
  const { fileMessage } = given
  if (fileMessage !== undefined && typeof fileMessage !== "function")
    throw new TypeError(`${call}: fileMessage must be a function, not ${describeType(fileMessage)}`)
  for (const name of limits) {
    const value = given[name]
    if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) > 0))
      throw new TypeError(`${call}: ${name} must be a positive integer, not ${formatValue(value)}`)
  }
  for (const name of lists) {
    const value = given[name]
    if (value !== undefined && !isTextList(value))
      throw new TypeError(`${call}: ${name} must be a list of texts, not ${describeType(value)}`)
  }
  checkTypes(call, (given.types ?? []) as readonly string[])
}

function checkTypes(call: string, types: readonly string[]): void {
  const unknown = types.find((type) => !knownTypes.some((known) => known === type || coversType(type, known)))
  if (unknown === undefined) return
  throw new TypeError(
    `${call}: files of the type ${JSON.stringify(unknown)} cannot be recognised by their content. Recognised types: ${knownTypes.join(", ")}. Leave out types to check such files yourself.`,
  )
}

/**
 * Returns true for a type that a list accepts. `image/*` does not accept SVG, which has to be named.
 *
 * @param type as {@link detectType} gives it.
 */
export function isAcceptedType(types: readonly string[], type: string): boolean {
  return types.some((accepted) => accepted === type || (type !== svgType && coversType(accepted, type)))
}

function coversType(kind: string, type: string): boolean {
  return kind.endsWith("/*") && type.startsWith(kind.slice(0, -1))
}
