/** Finds the type of a file from its first bytes, because the name and the header are only claims of the client. */

import { checkFields, describeType, formatValue, isTextList } from "../text.ts"

/**
 * Number of bytes that are needed to find the type. That is enough for every signature below, and to find `<svg` in a
 * text.
 */
export const signatureBytes = 512

/** The media type of a file, and the bytes at an offset by which it is recognised. `?` stands for any byte. */
type Signature = readonly [type: string, bytes: string, offset?: number]

/**
 * The types that are recognised by their content. The first one that fits counts.
 *
 * The signatures of images, audio, video, fonts and archives are from the MIME Sniffing standard (§6), the others from
 * the specifications of the formats.
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

/** SVG is text and can contain scripts, so it is accepted only if a program names it. */
export const svgType = "image/svg+xml"

/** Every type that {@link detectType} knows. */
export const knownTypes: readonly string[] = [...new Set(signatures.map(([type]) => type)), svgType]

/**
 * Returns the media type of a file; `""` if it is not known.
 *
 * @param head its first {@link signatureBytes} bytes, or the whole file if it is shorter.
 */
export function detectType(head: Uint8Array): string {
  const signature = signatures.find(([, bytes, offset = 0]) => matchesSignature(head, bytes.split(" "), offset))
  if (signature) return signature[0]
  const text = new TextDecoder().decode(head)
  // An XML declaration, comments and a doctype may come before the element (XML 1.0 §2.8).
  return /^\uFEFF?\s*(?:<\?xml|<!--|<!DOCTYPE\s+svg|<svg[\s>])/i.test(text) && /<svg[\s>]/i.test(text) ? svgType : ""
}

function matchesSignature(head: Uint8Array, bytes: readonly string[], offset: number): boolean {
  return bytes.every((byte, i) =>
    byte === "?" ? offset + i < head.length : head[offset + i] === Number.parseInt(byte, 16),
  )
}

/** The names of the options that a call for forms has in addition to `fileMessage`. */
export interface FileRules {
  readonly limits: readonly string[]
  readonly lists: readonly string[]
}

/**
 * Checks the options of a call for forms. A type must be one that can be recognised, or a group such as `image/*`.
 *
 * @param call the name of the call, for the message.
 * @throws TypeError that says what to write.
 */
export function checkFileRules(call: string, options: object, { limits, lists }: FileRules): void {
  checkFields(options, [...limits, ...lists, "fileMessage"], `${call} takes as its options`)
  const uncheckedOptions = options as Readonly<Record<string, unknown>>
  const { fileMessage } = uncheckedOptions
  if (fileMessage !== undefined && typeof fileMessage !== "function")
    throw new TypeError(`${call}: fileMessage must be a function, not ${describeType(fileMessage)}`)
  for (const name of limits) {
    const value = uncheckedOptions[name]
    if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) > 0))
      throw new TypeError(`${call}: ${name} must be a positive integer, not ${formatValue(value)}`)
  }
  for (const name of lists) {
    const value = uncheckedOptions[name]
    if (value !== undefined && !isTextList(value))
      throw new TypeError(`${call}: ${name} must be a list of texts, not ${describeType(value)}`)
  }
  checkTypes(call, (uncheckedOptions.types ?? []) as readonly string[])
}

function checkTypes(call: string, types: readonly string[]): void {
  const unknownType = types.find((type) => !knownTypes.some((known) => known === type || coversType(type, known)))
  if (unknownType === undefined) return
  throw new TypeError(
    `${call}: files of the type ${JSON.stringify(unknownType)} cannot be recognised by their content. Recognised types: ${knownTypes.join(", ")}. Leave out types to check such files yourself.`,
  )
}

/**
 * Returns true if a list of types accepts a type. `image/*` does not accept SVG; it must be named.
 *
 * @param type the result of {@link detectType}.
 */
export function isAcceptedType(types: readonly string[], type: string): boolean {
  return types.some((accepted) => accepted === type || (type !== svgType && coversType(accepted, type)))
}

function coversType(kind: string, type: string): boolean {
  return kind.endsWith("/*") && type.startsWith(kind.slice(0, -1))
}
