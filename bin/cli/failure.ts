/** Formats failures for people and for programs. */
import { FwError, type Location } from "../../lib/errors.ts"
import { UsageError } from "../messages/usage.ts"
import { foldLines } from "./layout.ts"
import { shortenValues } from "./shorten.ts"
import { createView, type Io, type Style } from "./terminal.ts"

/** The `error` in `{success: false, error}`, which `--json` prints. */
export interface FailureData {
  /** A name for the error that does not change, so that programs can test for it. */
  readonly code: string
  readonly message: string
  readonly fix: string
  /** Position in the project, if it is known. */
  readonly at?: Location
  /** All problems, if there are several. */
  readonly problems?: readonly FailureData[]
}

/**
 * Returns a failure as data. An error that is not an `FwError` has its cause in the system, such as a full disk, or
 * is a bug in fw.
 */
export function toFailureData(error: unknown): FailureData {
  if (error instanceof FwError) {
    const { code, message, fix, at } = error
    const problems = listProblems(error)
    return {
      code,
      message: shortenValues(message),
      fix: shortenValues(fix),
      ...(at ? { at: { ...at, file: shortenValues(at.file) } } : {}),
      ...(problems ? { problems: problems.map(toFailureData) } : {}),
    }
  }
  const message = shortenValues(error instanceof Error ? error.message : String(error))
  if (isSystemError(error)) {
    return { code: error.code, message, fix: "Check that the file or address exists and may be used." }
  }
  return {
    code: "internal_error",
    message,
    fix: "This is a bug in fw: please report it with what led to it.",
  }
}

/**
 * Returns a failure as text: the message, and on the next line the fix, unless the message contains it. For a bug,
 * the stack follows.
 */
export function formatFailure(error: unknown, io: Pick<Io, "stderr" | "env">): string {
  const { style, width } = createView(io.stderr, io.env)
  const failure = toFailureData(error)
  const lines = (failure.problems ?? [failure]).map(({ at, message, fix }) => {
    const text = `error: ${formatMissingLocation(message, at)}${message}\n${fix === "" ? "" : `  ${fix}\n`}`
    return colorFirstWord("error", style.red, foldLines(text, width, 2), style)
  })
  const showsStack = failure.code === "internal_error" || io.env.FW_LOG_LEVEL === "debug"
  const stack = showsStack && error instanceof Error && error.stack ? `${style.dim(error.stack)}\n` : ""
  const more = isExplained(error) ? formatMoreLines(failure.problems ?? [failure], style) : ""
  return lines.join("") + more + stack
}

/**
 * Returns true if the error reference has an entry for an error. A wrong command line is explained by help, and
 * errors of the system have no entry.
 */
function isExplained(error: unknown): boolean {
  return error instanceof FwError && !(error instanceof UsageError)
}

/** Returns a line for each code that says how to read its entry. */
function formatMoreLines(failures: readonly FailureData[], style: Style): string {
  const codes = [...new Set(failures.map(({ code }) => code))]
  return codes.map((code) => style.dim(`  More: fw help ${code}\n`)).join("")
}

/**
 * Returns the position to print before a message; empty if the message names the file and the line is not known.
 */
function formatMissingLocation(message: string, at: Location | undefined): string {
  return at?.line === undefined && at?.file !== undefined && message.includes(at.file) ? "" : formatLocation(at)
}

/** Returns the start of a message, `app/page.tpl:3:1: `, or nothing without a position. */
export function formatLocation(at: Location | undefined): string {
  if (!at) return ""
  return `${[at.file, at.line, at.column].filter((part) => part !== undefined).join(":")}: `
}

/** Colours the first word of a line. It was folded before, because folding would count the colour codes. */
function colorFirstWord(word: string, paint: (text: string) => string, text: string, style: Style): string {
  return `${paint(style.bold(`${word}:`))}${text.slice(word.length + 1)}`
}

/** Returns a warning as text. */
export function formatWarning({ message, fix }: FwError, style: Style): string {
  return `${style.yellow(style.bold("warning:"))} ${message}\n  ${fix}\n`
}

/**
 * Returns the problems of an error that collects several, such as that of a scan. The error is recognized by its
 * members, so that its class need not be loaded.
 */
function listProblems(error: FwError): readonly FwError[] | undefined {
  return "problems" in error && Array.isArray(error.problems) ? error.problems : undefined
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string"
}
