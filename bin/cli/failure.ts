/** What a failure looks like, to a person and as data. Called by main. */
import { FwError, type Location } from "../../lib/errors.ts"
import { fold } from "./layout.ts"
import { shortened } from "./shorten.ts"
import { type Io, type Style, viewOf } from "./terminal.ts"

/** The `error` of `{success: false, error}`. */
export interface FailureData {
  /** Stable: programs may test for it. */
  readonly code: string
  readonly message: string
  readonly fix: string
  /** Where in the project, if it is about a place. */
  readonly at?: Location
  /** Each of them, where there are several. */
  readonly problems?: readonly FailureData[]
}

/** A failure as data. What is no `FwError` is the machine's doing, such as a full disk, or a bug of ours. */
export function failureData(error: unknown): FailureData {
  if (error instanceof FwError) {
    const { code, message, fix, at } = error
    const problems = problemsOf(error)
    return {
      code,
      message: shortened(message),
      fix: shortened(fix),
      ...(at ? { at: { ...at, file: shortened(at.file) } } : {}),
      ...(problems ? { problems: problems.map(failureData) } : {}),
    }
  }
  const message = shortened(error instanceof Error ? error.message : String(error))
  if (isSystemError(error)) {
    return { code: error.code, message, fix: "Check that the file or address exists and may be used." }
  }
  return {
    code: "internal_error",
    message,
    fix: "This is a bug in fw: please report it with what led to it.",
  }
}

/** A failure as text: what happened, and on a line of its own what to do, where the message does not say it. A bug brings its stack. */
export function failureText(error: unknown, io: Pick<Io, "stderr" | "env">): string {
  const { style, width } = viewOf(io.stderr, io.env)
  const failure = failureData(error)
  const lines = (failure.problems ?? [failure]).map(({ at, message, fix }) => {
    const text = `error: ${placeFor(message, at)}${message}\n${fix === "" ? "" : `  ${fix}\n`}`
    return headed("error", style.red, fold(text, width, 2), style)
  })
  const debug = failure.code === "internal_error" || io.env.FW_LOG_LEVEL === "debug"
  const stack = debug && error instanceof Error && error.stack ? `${style.dim(error.stack)}\n` : ""
  return lines.join("") + stack
}

/** The place in front of a message. Nothing where the message names the file, and there is no line to add. */
function placeFor(message: string, at: Location | undefined): string {
  return at?.line === undefined && at?.file !== undefined && message.includes(at.file) ? "" : placeOf(at)
}

/** What a message begins with: `app/page.tpl:3:1: `, or nothing where it is about no place. */
export function placeOf(at: Location | undefined): string {
  if (!at) return ""
  return `${[at.file, at.line, at.column].filter((part) => part !== undefined).join(":")}: `
}

/** The first word of a text in its colour, which folding must not count. */
function headed(word: string, paint: (text: string) => string, text: string, style: Style): string {
  return `${paint(style.bold(`${word}:`))}${text.slice(word.length + 1)}`
}

/** What could not be done while the rest could, as text. */
export function warningText({ message, fix }: FwError, style: Style): string {
  return `${style.yellow(style.bold("warning:"))} ${message}\n  ${fix}\n`
}

/** An error that gathers others, such as a scan's, lists them. Asked by shape: the scan is not loaded for this. */
function problemsOf(error: FwError): readonly FwError[] | undefined {
  return "problems" in error && Array.isArray(error.problems) ? error.problems : undefined
}

function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string"
}
