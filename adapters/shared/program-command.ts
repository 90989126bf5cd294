/** Commands of a program that `fw build` makes, such as `db` and `jobs`: run, and answered as text or as JSON. */
import { FwError, type Location } from "../../lib/errors.ts"
import { escapeControls } from "../../lib/log/error-report.ts"

/** An error as data. */
export interface CommandFailure {
  readonly code: string
  readonly message: string
  readonly fix: string
  readonly at?: Location | undefined
}

/** How results and errors are told. */
export interface CommandText<Data> {
  /** Returns a result for people. */
  readonly format: (data: Data) => string
  /** Returns the error about one that is not of fw. */
  readonly explain: (message: string) => FwError
  /** Returns the exit code of a result. Default: 0. */
  readonly exitCode?: (data: Data) => number
}

/** Runs a command, and prints its result, or its error. Returns the exit code. */
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
