/** Writes messages about the files of a form, for the people who send the form. */
import { HttpError, type Issue } from "../errors.ts"
import { knownTypes, svgType } from "./file-types.ts"

/** What is wrong with a file. */
export type FileFacts =
  | {
      /** `size`: one file is larger than `limit`. `total`: the whole form is. */
      readonly code: "size" | "total"
      /** Maximum number of bytes. */
      readonly limit: number
    }
  | {
      /** There are more files than `limit`. */
      readonly code: "count"
      readonly limit: number
    }
  | {
      /** The file has none of these `types`. */
      readonly code: "type"
      readonly types: readonly string[]
      /** The type that the content has; `""` if it is not known. */
      readonly found: string
    }
  /** The file was accepted, but another field was not. When the form is shown again, the file must be chosen again. */
  | { readonly code: "again" }

/**
 * A problem with a file, as the option `fileMessage` gets it: what is wrong, the field, and the message in English.
 *
 * @example
 * const dutch = (problem: FileProblem) =>
 *   problem.code === "size" ? `Kies een foto van hoogstens ${problem.limit / 1_000_000} MB.` : problem.message
 * dutch({ code: "size", limit: 5_000_000, field: "photo", message: "The file is larger than 5 MB." })
 * // → "Kies een foto van hoogstens 5 MB."
 */
export type FileProblem = FileFacts & {
  /** The name of the form's field; `""` if a form without files is too large. */
  readonly field: string
  /** The English message. */
  readonly message: string
}

/** The option that replaces messages about files. */
export interface FileMessages {
  /**
   * Returns the message about a problem with a file, in other words or in another language. Default: the English
   * message, `problem.message`.
   */
  readonly fileMessage?: ((problem: FileProblem) => string) | undefined
}

/** Returns the issue for a problem with a file. */
export function createFileIssue(field: string, facts: FileFacts, { fileMessage }: FileMessages): Issue {
  const problem: FileProblem = { ...facts, field, message: composeMessage(field, facts) }
  const message = fileMessage?.(problem) ?? problem.message
  return field === "" ? { message } : { message, path: [field] }
}

/** Returns the error for a file that is not accepted. Its message is written for the person who sends the file. */
export function createFileError(status: 413 | 415, issue: Issue): HttpError {
  return new HttpError(status, issue.message, { issues: [issue] })
}

function composeMessage(field: string, facts: FileFacts): string {
  switch (facts.code) {
    case "size":
      return `The file is larger than ${formatSize(facts.limit)}.`
    case "total":
      return field === ""
        ? `The form is larger than ${formatSize(facts.limit)}.`
        : `The files are larger than ${formatSize(facts.limit)} together.`
    case "count":
      return facts.limit === 1 ? "Choose only one file." : `Choose at most ${facts.limit} files.`
    case "type":
      return writeTypeMessage(facts.types, facts.found)
    case "again":
      return "Choose the file again."
  }
}

const sizeUnits = ["kB", "MB", "GB", "TB"] as const

/**
 * Returns a number of bytes as file managers show it. It is rounded down, so that a file of the shown size is not too
 * large.
 */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`
  let unit = 0
  let size = bytes / 1000
  while (size >= 1000 && unit < sizeUnits.length - 1) {
    size /= 1000
    unit++
  }
  return `${size < 100 ? Math.floor(size * 10) / 10 : Math.floor(size)} ${sizeUnits[unit]}`
}

/** What people call the files of a type, by the first part of the media type. */
const pluralByKind: Readonly<Record<string, string>> = {
  image: "images",
  audio: "audio files",
  video: "videos",
  font: "fonts",
}

/** The names of types that are not simply the second part of the media type in capitals. */
const typeNames: Readonly<Record<string, string>> = {
  "image/webp": "WebP",
  "image/svg+xml": "SVG",
  "image/x-icon": "ICO",
  "application/x-7z-compressed": "7z",
  "application/x-tar": "TAR",
  "audio/mpeg": "MP3",
  "audio/mp4": "M4A",
  "video/webm": "WebM",
  "video/quicktime": "QuickTime",
  "video/x-msvideo": "AVI",
}

/**
 * Returns the message about a type that is not accepted. People count SVG among images, but `image/*` does not accept
 * it; then the message lists what is accepted.
 */
function writeTypeMessage(types: readonly string[], found: string): string {
  const isSVG = found === svgType && types.includes("image/*")
  const images = knownTypes.filter((type) => type.startsWith("image/") && type !== svgType)
  const listedTypes = isSVG ? types.flatMap((type) => (type === "image/*" ? images : type)) : types
  return `Only ${formatTypes(listedTypes)} are allowed${isSVG ? ", not SVG" : ""}.`
}

/** Returns a list of types in words: `JPEG and PNG images`, or `images and PDF files`. */
function formatTypes(types: readonly string[]): string {
  const groups = new Map<string, string[]>()
  for (const type of types) {
    const [kind = "", rest = ""] = type.split("/")
    const name = typeNames[type] ?? rest.toUpperCase()
    groups.set(kind, [...(groups.get(kind) ?? []), name])
  }
  return formatList(
    [...groups].map(([kind, group]) => {
      const plural = pluralByKind[kind] ?? "files"
      return group.includes("*") ? plural : `${formatList(group)} ${plural}`
    }),
  )
}

function formatList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}
