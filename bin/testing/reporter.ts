/**
 * A reporter for `node --test`, which runs in its process. It writes each result as a line of JSON, and imports
 * nothing of fw.
 */
import { readFileSync } from "node:fs"
import { relative, resolve, sep } from "node:path"
import { inspect } from "node:util"
import { type ErrorData, toErrorData } from "../project/error-data.ts"
import { findBundledTest } from "./bundle-name.ts"
import type { ReportLine, TestResult, ThrownData } from "./run-results.ts"

/** The events that are used. Node's own types describe them only for its latest version. */
interface TestEvent {
  readonly type: string
  readonly data: EventData
}

interface EventData {
  readonly name: string
  readonly nesting: number
  readonly file?: string
  readonly line?: number
  readonly message?: string
  readonly skip?: unknown
  readonly todo?: unknown
  readonly details?: { readonly duration_ms?: number; readonly type?: string; readonly error?: TestError }
}

/** The error of a failed test. `cause` is the value that the test threw. */
interface TestError {
  readonly message: string
  readonly failureType?: string
  readonly cause?: unknown
}

/** The longest output to show if a file failed without an error, in characters. */
const maxOutputLength = 1000

const lateFix = "The error came when the test that caused it had ended. Await what the program, or the test, starts."

/** Writes the lines of a run. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const line of readEvents(events)) yield `${JSON.stringify(line)}\n`
}

async function* readEvents(events: AsyncIterable<TestEvent>): AsyncGenerator<ReportLine> {
  // The names of the current test and of the suites around it.
  const names: string[] = []
  const outputs = new Map<string, string>()
  let last: string | undefined
  for await (const { type, data } of events) {
    const { name = "", nesting = 0, file: path = "", line, message = "", details } = data ?? {}
    const file = findBundledTest(path) ?? relative(process.cwd(), path).replaceAll(sep, "/")
    const isFile = nesting === 0 && findBundledTest(resolve(name)) !== undefined
    const error = type === "test:fail" ? details?.error : undefined
    if (type === "test:stdout" || type === "test:stderr") {
      if (type === "test:stderr") outputs.set(file, ((outputs.get(file) ?? "") + message).slice(-maxOutputLength))
      yield { kind: "output", stream: type === "test:stdout" ? "stdout" : "stderr", text: message }
    } else if (type === "test:dequeue" || type === "test:complete") {
      const kind = type === "test:complete" ? "end" : "begin"
      if (details?.type !== "suite") yield { kind, place: isFile ? file : `${file} › ${name}` }
    } else if (type === "test:start") names.splice(nesting, names.length, name)
    else if ((type === "test:pass" || type === "test:fail") && isCounted(error, details, names.length > nesting + 1)) {
      const outcome = readOutcome(data, error)
      const ms = Math.round(details?.duration_ms ?? 0)
      const full = isFile ? { name: file } : { name: [...names.slice(0, nesting), name].join(" › "), line }
      const thrown =
        error && (isFile ? readFileError(path, outputs.get(file) || error.message, last === file) : readThrown(error))
      yield { kind: "test", file, ...full, outcome, ms, thrown }
      last = file
    }
  }
}

/**
 * Returns true for a test that counts. Suites, and tests with tests inside, count only if they failed themselves.
 */
function isCounted(error: TestError | undefined, details: EventData["details"], hasTests: boolean): boolean {
  const isGroup = hasTests || details?.type === "suite"
  return !isGroup || (error !== undefined && error.failureType !== "subtestsFailed")
}

/** Returns the outcome of a test. A test marked as todo may fail. */
function readOutcome({ skip, todo }: EventData, error: TestError | undefined): TestResult["outcome"] {
  if (todo !== undefined && todo !== false) return "todo"
  if (skip !== undefined && skip !== false) return "skipped"
  return error ? "failed" : "passed"
}

function readThrown({ message, cause }: TestError): ThrownData {
  if (typeof cause !== "object" || cause === null)
    return { message: typeof cause === "string" ? cause : message, stack: "" }
  const data = toErrorData(cause)
  if (!("expected" in cause && "actual" in cause)) return data
  const { expected, actual, message: ownMessage } = cause as Record<string, unknown>
  const [expectedText, actualText] = [expected, actual].map((value) => inspect(value, { depth: 4, breakLength: 100 }))
  return { ...data, message: String(ownMessage), expected: expectedText, actual: actualText }
}

/**
 * Returns the error of a file that failed outside its tests: the error that its process has stored, or the end of
 * its output.
 */
function readFileError(bundle: string, output: string, hasTests: boolean): ThrownData {
  try {
    const error: ErrorData = JSON.parse(readFileSync(`${bundle}.error`, "utf8"))
    return hasTests ? { ...error, fix: [lateFix, error.fix ?? ""].join(" ").trim() } : error
  } catch {
    return { message: output.trim(), stack: "" }
  }
}
