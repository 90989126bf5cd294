/** Runs the commands of built programs, such as `db` and `jobs`, and prints their results as text or as JSON. */
import { FwError, type Location } from "../../lib/errors.ts"
import { escapeControls } from "../../lib/log/error-report.ts"

/** An error as plain data. */
export interface CommandFailure {
  readonly code: string
  readonly message: string
  readonly fix: string
  readonly at?: Location | undefined
}

/** How the results and errors of a command are printed. */
export interface CommandText<Data> {
  /** Returns a result as text for people. */
  readonly format: (data: Data) => string
  /** Returns the error to print for an error that is not an FwError. */
  readonly explain: (message: string) => FwError
  /** Returns the exit code of a result. Default: 0. */
  readonly exitCode?: (data: Data) => number
}

/** Runs a command, and prints its result or its error. Returns the exit code. */
export async function answerCommand<Data>(
  isJSON: boolean,
  run: () => Promise<Data>,
  { format, explain, exitCode = () => 0 }: CommandText<Data>,
): Promise<number> {
  try {
    const data = await run()
    process.stdout.write(isJSON ? `${JSON.stringify({ success: true, data })}\n` : format(data))
    return exitCode(data)
  } catch (error) {
    const failure = toFailure(error, explain)
    if (isJSON) process.stdout.write(`${JSON.stringify({ success: false, error: failure })}\n`)
    else process.stderr.write(`${escapeLines(error instanceof FwError ? error.toString() : failure.message)}\n`)
    return 1
  }
}

function toFailure(error: unknown, explain: (message: string) => FwError): CommandFailure {
  if (error instanceof FwError) return { code: error.code, message: error.message, fix: error.fix, at: error.at }
  const { message, code } = Object(error) as { message?: unknown; code?: unknown }
  return toFailure(explain(String(message || code || error)), explain)
}

function escapeLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n")
}
