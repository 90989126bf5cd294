/** A reporter for `node --test`, which runs in that process: it writes every result as a line of JSON. */
import { inspect } from "node:util"
import { type FailureRecord, lateLine, type TestRecord } from "./records.ts"

/** The events that are read here. Node's own types describe them only for its newest version. */
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

/** The error of a failed test. Its cause is what the test threw. */
interface TestError {
  readonly message: string
  readonly failureType?: string
  readonly cause?: unknown
}

/** Longest text of a message, a stack or a value, in characters. */
const longest = 2000

/** Writes the records of a run. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = []
  // Per level of nesting: true if the test there has tests of its own.
  const parents: boolean[] = []
  for await (const { type, data } of events) {
    if (type === "test:start") {
      names[data.nesting] = data.name
      parents[data.nesting] = false
      if (data.nesting > 0) parents[data.nesting - 1] = true
    }
    const record = recordOf(type, data, names, parents[data?.nesting] ?? false)
    if (record) yield `${JSON.stringify(record)}\n`
  }
}

function recordOf(
  type: string,
  data: EventData,
  names: readonly string[],
  isParent: boolean,
): TestRecord | undefined {
  const { file = "", message = "", name, nesting } = data
  if (type === "test:dequeue" && data.details?.type !== "suite") return { kind: "begin", file, name }
  if (type === "test:complete") return { kind: "end", file, name }
  if (type === "test:stderr" && message.startsWith(lateLine))
    return { kind: "late", file, text: JSON.parse(message.slice(lateLine.length)) }
  if (type === "test:stdout" || type === "test:stderr")
    return {
      kind: "output",
      file,
      stream: type === "test:stdout" ? "stdout" : "stderr",
      text: message,
    }
  if (type !== "test:pass" && type !== "test:fail") return undefined
  const error = type === "test:fail" ? data.details?.error : undefined
  // Tests with tests of their own, and suites, do not count, unless they failed by themselves.
  const isGroup = isParent || data.details?.type === "suite"
  if (isGroup && (!error || error.failureType === "subtestsFailed")) return undefined
  return {
    kind: "test",
    names: [...names.slice(0, nesting), name],
    file,
    line: data.line ?? 1,
    outcome: outcomeOf(data, error),
    ms: Math.round(data.details?.duration_ms ?? 0),
    ...(error && { failure: failureOf(error) }),
  }
}

/** Returns the outcome. A test that is still to do may fail. */
function outcomeOf({ skip, todo }: EventData, error: TestError | undefined) {
  if (todo !== undefined && todo !== false) return "todo"
  if (skip !== undefined && skip !== false) return "skipped"
  return error ? "failed" : "passed"
}

function failureOf(error: TestError): FailureRecord {
  const { cause } = error
  if (!isErrorLike(cause))
    return { message: cut(typeof cause === "string" ? cause : error.message), stack: "" }
  const { name, message, stack, expected, actual, fix } = cause
  const isAssertion = "expected" in cause && "actual" in cause
  const title =
    name && !/^(?:Fw)?Error$/.test(String(name)) && !isAssertion ? `${name}: ${message}` : String(message)
  return {
    message: cut(title.trim()),
    stack: framesOf(stack),
    ...(typeof fix === "string" && fix !== "" && { fix: cut(fix) }),
    ...(isAssertion && { expected: shown(expected), actual: shown(actual) }),
  }
}

/** Returns the lines of a stack without the message, which it repeats. */
function framesOf(stack: unknown): string {
  if (typeof stack !== "string") return ""
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line))
  return cut(
    frames.filter((line) => !line.includes("(node:") && !/at (?:async )?node:/.test(line)).join("\n"),
  )
}

function isErrorLike(
  value: unknown,
): value is Record<"name" | "message" | "stack" | "expected" | "actual" | "fix", unknown> {
  return typeof value === "object" && value !== null && "message" in value
}

function shown(value: unknown): string {
  return cut(inspect(value, { depth: 4, breakLength: 100 }))
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)} …` : text
}
