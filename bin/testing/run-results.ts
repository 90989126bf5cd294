/** The results of tests: totals, and each failure with its place. */

import type { ErrorData } from "../project/error-data.ts"
import { findOwnFrame, locateProblem } from "../project/problems.ts"
import { createServerEnv } from "../project/project.ts"
import { parseStackLine } from "../project/stack-frames.ts"

/** A line of the reporter. */
export type ReportLine =
  | ({ readonly kind: "test" } & TestResult)
  /** A test file, or a test in it as `file › name`, begins or ends. These lines arrive at once, in no order. */
  | { readonly kind: "begin"; readonly place: string }
  | { readonly kind: "end"; readonly place: string }
  /** A file's own output. */
  | { readonly kind: "output"; readonly stream: "stdout" | "stderr"; readonly text: string }

/** A test that has ended, or a whole file that failed. */
export interface TestResult {
  /** The names of the suites and of the test, joined by ` › `. */
  readonly name: string
  /** The test file, relative to the project. */
  readonly file: string
  /** Undefined for a whole file. */
  readonly line?: number | undefined
  readonly outcome: "passed" | "failed" | "skipped" | "todo"
  readonly ms: number
  readonly thrown?: ThrownData | undefined
}

/** An error of a test, with the values of an assertion as Node prints them. */
export type ThrownData = ErrorData & { readonly [name in "expected" | "actual"]?: string | undefined }

/** A failed test. */
export interface TestFailure {
  /** The names of the suites and of the test, joined by ` › `; that of the file if it could not run. */
  readonly name: string
  /** The test file, relative to the project. */
  readonly test: string
  /** The position of the failure in the project's own code: in the test, or in the code that it calls. */
  readonly file: string
  readonly line: number | null
  readonly message: string
  /** The fix, if it is known. */
  readonly fix: string | null
  /** The values of an assertion; null for other errors. */
  readonly expected: string | null
  readonly actual: string | null
  /** The source lines around the position. */
  readonly frame: string | null
  /** The lines of the stack that are in the project. */
  readonly stack: readonly string[]
}

/** The result of one file, when its last test has ended. */
export interface FileResult {
  readonly file: string
  readonly tests: number
  readonly failed: number
  readonly ms: number
}

/** Longest text of a message or a value, in characters. */
const maxTextLength = 2000
/** Longest line of a frame. */
const maxLineLength = 120
/** Most lines of a stack. */
const maxFrames = 6

/** What is known of the project and of the environment of its tests. */
export interface TestEnvironment {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Collects the lines of a run. */
export class RunResults {
  readonly failures: TestFailure[] = []
  readonly totals = { total: 0, passed: 0, failed: 0, skipped: 0, todo: 0 }
  readonly #ground: TestEnvironment
  readonly #onFile: (result: FileResult) => void
  /** The files and tests that have begun and not ended. */
  readonly #running = new Set<string>()
  #file = { file: "", tests: 0, failed: 0, ms: 0 }

  /** Creates results. @param onFile is called for each file when all of its tests have ended. */
  constructor(ground: TestEnvironment, onFile: (result: FileResult) => void) {
    this.#ground = ground
    this.#onFile = onFile
  }

  /** Adds a line. */
  add(line: Exclude<ReportLine, { kind: "output" }>): void {
    if (line.kind === "begin") this.#running.add(line.place)
    else if (line.kind === "end") this.#running.delete(line.place)
    else this.#addTest(line)
  }

  /** Adds a failure for each test that has not ended, or for its file. */
  addStuck(message: string): void {
    const running = this.#running.size > 0 ? [...this.#running] : ["node --test"]
    for (const place of running) {
      if (running.some((other) => other.startsWith(`${place} › `))) continue
      const [file = "", ...names] = place.split(" › ")
      const name = names.join(" › ") || file
      this.#addTest({ name, file, outcome: "failed", ms: 0, thrown: { message, stack: "" } })
    }
  }

  /** Ends the last file. */
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
  const own = findOwnFrame(root, stack) ?? { file: test, line }
  const mark = own.line === undefined ? undefined : { line: own.line }
  const place = locateProblem(root, own.file, mark, { message }, maxLineLength)
  const frame = place.frame ?? null
  return {
    name,
    test,
    file: place.file ?? test,
    line: place.line ?? null,
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
  const own = findOwnFrame(root, text)
  if (!own) return []
  const name = parseStackLine(text)?.name
  const place = `${own.file}:${own.line}:${own.column}`
  return [name ? `${name} (${place})` : place]
}

/** Returns the advice for a failure whose text has a variable that only `.env` sets. A broken file is reported by `fw dev`. */
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
