/** Collects the results of tests: totals, and each failure with its position. */

import type { ErrorData } from "../project/error-data.ts"
import { findOwnFrame, locateProblem } from "../project/problems.ts"
import { createServerEnv } from "../project/project.ts"
import { parseStackLine } from "../project/stack-frames.ts"

/** A line that the reporter writes. */
export type ReportLine =
  | ({ readonly kind: "test" } & TestResult)
  /** A test file, or a test in it (`file › name`), begins or ends. These lines arrive in no particular order. */
  | { readonly kind: "begin"; readonly place: string }
  | { readonly kind: "end"; readonly place: string }
  /** Output of a test file. */
  | { readonly kind: "output"; readonly stream: "stdout" | "stderr"; readonly text: string }

/** The result of a test, or of a whole file that failed. */
export interface TestResult {
  /** The names of the suites and the test, joined by ` › `. */
  readonly name: string
  /** The test file, relative to the project. */
  readonly file: string
  /** The line of the test; undefined for a whole file. */
  readonly line?: number | undefined
  readonly outcome: "passed" | "failed" | "skipped" | "todo"
  readonly ms: number
  readonly thrown?: ThrownData | undefined
}

/** The error of a test. The values of an assertion are in the form in which Node prints them. */
export type ThrownData = ErrorData & { readonly [name in "expected" | "actual"]?: string | undefined }

/** A failed test. */
export interface TestFailure {
  /** The names of the suites and the test, joined by ` › `; the name of the file if it could not run. */
  readonly name: string
  /** The test file, relative to the project. */
  readonly test: string
  /** The position of the failure in the project's code: in the test, or in code that it calls. */
  readonly file: string
  readonly line: number | null
  readonly message: string
  /** The fix, if one is known. */
  readonly fix: string | null
  /** The values of an assertion; null for any other error. */
  readonly expected: string | null
  readonly actual: string | null
  /** The source lines around the position. */
  readonly frame: string | null
  /** The stack frames in the project. */
  readonly stack: readonly string[]
}

/** The result of a file, when all its tests have ended. */
export interface FileResult {
  readonly file: string
  readonly tests: number
  readonly failed: number
  readonly ms: number
}

/** The longest text of a message or value, in characters. */
const maxTextLength = 2000
/** The longest line of a code frame, in characters. */
const maxLineLength = 120
/** The largest number of stack frames. */
const maxFrames = 6

/** The project, and the environment variables of its tests. */
export interface TestEnvironment {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Collects the results of a run. */
export class RunResults {
  readonly failures: TestFailure[] = []
  readonly totals = { total: 0, passed: 0, failed: 0, skipped: 0, todo: 0 }
  readonly #ground: TestEnvironment
  readonly #onFile: (result: FileResult) => void
  /** The files and tests that are running. */
  readonly #running = new Set<string>()
  #file = { file: "", tests: 0, failed: 0, ms: 0 }

  /**
   * Creates empty results.
   *
   * @param onFile called when all tests of a file have ended.
   */
  constructor(ground: TestEnvironment, onFile: (result: FileResult) => void) {
    this.#ground = ground
    this.#onFile = onFile
  }

  /** Adds a line of the reporter. */
  add(line: Exclude<ReportLine, { kind: "output" }>): void {
    if (line.kind === "begin") this.#running.add(line.place)
    else if (line.kind === "end") this.#running.delete(line.place)
    else this.#addTest(line)
  }

  /** Adds a failure for each test that has not ended, or for its file. */
  addStuck(message: string): void {
    const running = this.#running.size > 0 ? [...this.#running] : ["node --test"]
    for (const test of running) {
      if (running.some((other) => other.startsWith(`${test} › `))) continue
      const [file = "", ...names] = test.split(" › ")
      const name = names.join(" › ") || file
      this.#addTest({ name, file, outcome: "failed", ms: 0, thrown: { message, stack: "" } })
    }
  }

  /** Finishes the last file. */
  end(): void {
    if (this.#file.tests > 0) this.#onFile(this.#file)
  }

  #addTest(result: TestResult): void {
    const { file, outcome } = result
    if (this.#file.file !== file) {
      this.end()
      this.#file = { file, tests: 0, failed: 0, ms: 0 }
    }
    this.#file.tests += 1
    this.#file.ms += result.ms
    this.totals.total += 1
    this.totals[outcome] += 1
    if (outcome !== "failed") return
    this.#file.failed += 1
    this.failures.push(describeFailure(this.#ground, result))
  }
}

function describeFailure({ root, env }: TestEnvironment, { name, file: test, line, thrown }: TestResult): TestFailure {
  const { message = "", stack = "", fix, expected, actual } = thrown ?? {}
  const position = findOwnFrame(root, stack) ?? { file: test, line }
  const mark = position.line === undefined ? undefined : { line: position.line }
  const location = locateProblem(root, position.file, mark, { message }, maxLineLength)
  const frame = location.frame ?? null
  return {
    name,
    test,
    file: location.file ?? test,
    line: location.line ?? null,
    message: cutText(message.trim()) ?? "",
    fix: cutText(fix ?? findAdvice(`${message} ${frame}`, { root, env })),
    expected: cutText(expected),
    actual: cutText(actual),
    frame,
    stack: stack
      .split("\n")
      .flatMap((text) => readOwnFrame(root, text))
      .slice(0, maxFrames),
  }
}

function readOwnFrame(root: string, text: string): string[] {
  const frame = findOwnFrame(root, text)
  if (!frame) return []
  const name = parseStackLine(text)?.name
  const location = `${frame.file}:${frame.line}:${frame.column}`
  return [name ? `${name} (${location})` : location]
}

/**
 * Returns the fix for a failure whose message contains a variable that is set only in `.env`. Errors in that file
 * are reported by `fw dev`.
 */
function findAdvice(text: string, { root, env }: TestEnvironment): string | undefined {
  try {
    const names = Object.keys(createServerEnv({ root, appDir: "" }, {}))
    const words = new Set(text.match(/\w+/g))
    const name = names.find((one) => env[one] === undefined && one !== "FW_DEV" && words.has(one))
    return name && `${name} is in .env, which fw test does not read. Set it in the test, or for the command.`
  } catch {
    return undefined
  }
}

function cutText(text: string | undefined): string | null {
  if (text === undefined) return null
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)} …` : text
}
