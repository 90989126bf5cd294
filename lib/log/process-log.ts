/**
 * Lines about the process itself, which belong to no request: bugs, outages, the start and the end. They are text, or JSON if the
 * logger of the app writes that.
 */
import type { Env } from "../platform.ts"
import { escapeControls, formatBug } from "./error-report.ts"
import { type LogLevel, readLogLevel } from "./log-level.ts"

/** The part of the process that these lines need. */
type ProcessEnv = Pick<Env, "get"> & Required<Pick<Env, "out" | "err">>

type WriteRecord = (level: LogLevel, rest: { readonly message?: string; readonly error?: string }) => void

let writeRecord: WriteRecord | undefined

/** Makes these lines JSON from now on, for a program whose output is read by another program. */
export function useJSON(write: (text: string) => void, now: () => number): void {
  writeRecord = (level, rest) => write(formatJSONLine({ time: new Date(now()).toISOString(), level, ...rest }))
}

/** Returns true after {@link useJSON}. */
export function usesJSON(): boolean {
  return writeRecord !== undefined
}

/** Writes a bug, unless `FW_LOG_LEVEL` is `off`: as text to standard error. */
export function reportBug(bug: unknown, env: ProcessEnv): void {
  if (readLogLevel(env.get) !== "off") writeError(formatBug(bug), env)
}

/** Writes the text of an error, whatever `FW_LOG_LEVEL` is: as text to standard error. */
export function writeError(error: string, { err }: ProcessEnv): void {
  if (writeRecord) writeRecord("error", { error })
  else err.write(`${error}\n`)
}

/** Writes a message. As text, a message of level info goes to standard output, and any other to standard error. */
export function writeMessage(level: "info" | "warn", message: string, { out, err }: ProcessEnv): void {
  if (writeRecord) writeRecord(level, { message })
  else if (level === "info") out.write(`${message}\n`)
  else err.write(`fw: ${message}\n`)
}

/** Returns a record as a line. JSON escapes line feeds, but neither C1 controls nor marks that reorder text. */
export function formatJSONLine(record: object): string {
  const line = JSON.stringify(record)
  return `${/^[\x20-\x7e]*$/.test(line) ? line : escapeControls(line)}\n`
}
