/** The results of a test run: totals, and each failure with its place. */
import { isAbsolute, join } from "node:path"
import { type ErrorData, ownFrame, type Problem, problemAt, shownPath } from "../project/problems.ts"
import type { TestRecord } from "./records.ts"

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

/** The totals of a run. */
export interface TestTotals {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly todo: number
  /** Number of test files. */
  readonly files: number
}

/** The result of one file, when its last test has ended. */
export interface FileResult {
  readonly file: string
  readonly tests: number
  readonly failed: number
  readonly ms: number
}

/** Longest line of a frame, and most lines of a stack. */
const room = 120
const mostFrames = 6
/** Most output of a file to keep, for a file that fails before its first test. */
const keptOutput = 20_000

/** Collects the records of a run. */
export class TestResults {
  readonly failures: TestFailure[] = []
  readonly #root: string
  /** Test files by the paths of their bundles. */
  readonly #bundles: ReadonlyMap<string, string>
  readonly #counts = { passed: 0, failed: 0, skipped: 0, todo: 0 }
  readonly #errors = new Map<string, string>()
  /** The first late error of a file, by the path of its bundle. */
  readonly #late = new Map<string, string>()
  /** The tests that run, by file. */
  readonly #running = new Map<string, Set<string>>()
  #current: { file: string; tests: number; failed: number; ms: number } | undefined
  readonly #onFile: (result: FileResult) => void
  readonly #unread: readonly string[]

  /**
   * Creates results.
   *
   * @param onFile is called for each file when all of its tests have ended.
   * @param unread names of variables that `.env` has and the tests do not.
   */
  constructor(
    root: string,
    bundles: ReadonlyMap<string, string>,
    onFile: (result: FileResult) => void,
    unread: readonly string[] = [],
  ) {
    this.#unread = unread
    this.#root = root
    this.#bundles = bundles
    this.#onFile = onFile
  }

  get totals(): TestTotals {
    const { passed, failed, skipped, todo } = this.#counts
    const total = passed + failed + skipped + todo
    return { total, passed, failed, skipped, todo, files: this.#bundles.size }
  }

  /** The tests that have begun and not ended, as `file` or `file › name`. */
  get running(): string[] {
    return [...this.#running].flatMap(([file, names]) => {
      const inner = [...names].filter((name) => !this.#isFile(name))
      return inner.length === 0 && names.size > 0 ? [file] : inner.map((name) => `${file} › ${name}`)
    })
  }

  /** Adds a record. */
  add(record: TestRecord): void {
    if (record.kind === "output") {
      if (record.stream !== "stderr") return
      const known = this.#errors.get(record.file) ?? ""
      this.#errors.set(record.file, (known + record.text).slice(-keptOutput))
    } else if (record.kind === "late") {
      if (!this.#late.has(record.file)) this.#late.set(record.file, record.text)
    } else if (record.kind === "test") this.#addTest(record)
    else this.#mark(record.kind, this.#fileOf(record.file), record.name)
  }

  /** Adds the failure of a file that never ended. */
  addStuck(place: string, message: string): void {
    const [file = "", ...names] = place.split(" › ")
    this.#counts.failed += 1
    this.failures.push({
      name: names.length > 0 ? names.join(" › ") : file,
      test: file,
      file,
      line: null,
      message,
      fix: null,
      expected: null,
      actual: null,
      frame: null,
      stack: [],
    })
  }

  /** Ends the run: the last file has ended too. */
  end(): void {
    if (this.#current) this.#onFile(this.#current)
    this.#current = undefined
  }

  #mark(kind: "begin" | "end", file: string, name: string): void {
    const names = this.#running.get(file) ?? new Set()
    if (kind === "begin") names.add(name)
    else names.delete(name)
    this.#running.set(file, names)
    if (names.size === 0) this.#running.delete(file)
  }

  #addTest({ names, file: path, line, outcome, ms, failure }: TestRecord & { kind: "test" }): void {
    const file = this.#fileOf(path)
    if (this.#current?.file !== file) {
      this.end()
      this.#current = { file, tests: 0, failed: 0, ms: 0 }
    }
    this.#current.tests += 1
    this.#current.ms += ms
    this.#counts[outcome] += 1
    if (outcome !== "failed" || !failure) return
    this.#current.failed += 1
    const name = names.map((one) => (this.#isFile(one) ? file : one)).join(" › ")
    const isWhole = names.length === 1 && this.#isFile(names[0] as string)
    const data: ErrorData = isWhole ? this.#fileError(path, failure.message) : failure
    const own = ownFrame(this.#root, data.stack)
    const place = own ?? { file, line: isWhole ? undefined : line }
    const found = shown(this.#root, place)
    this.failures.push({
      name,
      test: file,
      message: data.message,
      fix: data.fix ?? this.#adviceFor(`${data.message} ${found.frame}`) ?? null,
      expected: failure.expected ?? null,
      actual: failure.actual ?? null,
      stack: ownFrames(this.#root, data.stack),
      ...found,
    })
  }

  /** Returns the advice for a failure whose text has a variable that only `.env` sets. */
  #adviceFor(text: string): string | undefined {
    const name = this.#unread.find((one) => new RegExp(`\\b${one}\\b`).test(text))
    return name && `${name} is in .env, which fw test does not read. Set it in the test, or for the command.`
  }

  /** Returns the error of a file that failed outside its tests: before the first, where Node writes it to the standard error, or late. */
  #fileError(path: string, message: string): ErrorData {
    const late = this.#late.get(path)
    const isAfterTests = (this.#current?.tests ?? 0) > 1
    if (late !== undefined && isAfterTests) return { fix: lateFix, ...errorIn(late, message) }
    return errorIn(this.#errors.get(path) ?? "", message)
  }

  /** Returns a test file from its own path or from that of its bundle. */
  #fileOf(path: string): string {
    return this.#bundles.get(path) ?? shownPath(this.#root, path)
  }

  /** Returns true for the name that Node gives to a whole file: its path, or that from the project. */
  #isFile(name: string): boolean {
    return this.#bundles.has(isAbsolute(name) ? name : join(this.#root, name))
  }
}

const lateFix =
  "The error came when the test that caused it had ended. Await what the program, or the test, starts."

/** Returns the error that Node has printed among other text. */
function errorIn(text: string, message: string): ErrorData {
  const lines = text.split("\n")
  const first = lines.findIndex((line, i) => /^\s+at /.test(lines[i + 1] ?? "") && line.trim() !== "")
  return first < 0
    ? { message: text.trim().slice(-1000) || message, stack: "" }
    : { message: (lines[first] as string).replace(/^(?:Fw)?Error: /, ""), stack: text, ...dumpedFix(text) }
}

/** Returns the fix in Node's dump of an FwError: `fix: 'Write …',`. */
function dumpedFix(text: string): { fix?: string } {
  const [, quote = "", fix] = /^\s+fix: (['"`])(.*)\1,?$/m.exec(text) ?? []
  return fix ? { fix: fix.replaceAll(`\\${quote}`, quote).replaceAll("\\\\", "\\") } : {}
}

function shown(root: string, { file, line }: { readonly file: string; readonly line?: number | undefined }) {
  const mark = line === undefined ? undefined : { line }
  const found: Problem = problemAt(root, file, mark, { message: "" }, room)
  return { file: found.file ?? file, line: found.line ?? null, frame: found.frame ?? null }
}

const frameLine = /^\s+at (?:(.*?) \()?(?:async )?(.+?):(\d+):(\d+)\)?$/

function ownFrames(root: string, stack: string): string[] {
  const frames = stack.split("\n").flatMap((text) => {
    const own = ownFrame(root, text)
    if (!own) return []
    const name = frameLine.exec(text)?.[1]
    const place = `${own.file}:${own.line}:${own.column}`
    return [name ? `${name} (${place})` : place]
  })
  return frames.slice(0, mostFrames)
}
