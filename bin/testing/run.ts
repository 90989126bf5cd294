/** A run of a project's tests: generates, bundles, and runs the bundles with Node's own test runner. */
import { pathToFileURL } from "node:url"
import { type Io, viewOf } from "../cli/terminal.ts"
import { writeGenerated } from "../generate/generated.ts"
import { projectFault } from "../messages/project.ts"
import { provideFramework } from "../project/local-copy.ts"
import { type Problem, problemText } from "../project/problems.ts"
import { type Project, serverEnv } from "../project/project.ts"
import { makeDirectory } from "../system/directories.ts"
import { OwnDirectory } from "../system/own-directory.ts"
import { programFlags, programPath } from "../system/package.ts"
import { type ProgramEnd, programFailed, startProgram } from "../tools/program.ts"
import { callWarnings } from "../validators/prepare.ts"
import { type ComparedAnswers, nothingCompared, TestAnswers, type WrongAnswer } from "./answers.ts"
import { bundleTests, type TestBundles } from "./bundle.ts"
import { filterTests, findTests } from "./files.ts"
import type { TestRecord } from "./records.ts"
import { type FileResult, type TestFailure, TestResults, type TestTotals } from "./results.ts"

/** The tests of a run, and its time limit. */
export interface TestOrder {
  readonly project: Project
  /** Only files with this text in their paths. Default: all. */
  readonly filter?: string | undefined
  /** Seconds in which some test must end, 0 for no limit. */
  readonly timeout: number
  /** True if the types of answers must be known. */
  readonly strict: boolean
}

/** Receives what happens during a run. */
export interface TestListener {
  /** Called when the files of the run are known, which is also if the run fails later. */
  readonly onFiles?: (inputs: ReadonlySet<string>) => void
  readonly onFile: (result: FileResult) => void
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void
}

/** The result of a run. */
export interface TestRun extends TestTotals {
  readonly failures: readonly TestFailure[]
  /** Answers that do not fit their types. */
  readonly answers: readonly WrongAnswer[]
  readonly uncompared: ComparedAnswers["uncompared"]
  /** Time of the run, in milliseconds. */
  readonly ms: number
}

/** Variables of tests, unless they are set. Tests of signed cookies need no secret of their own, and app.shutdown() does not wait for load balancers. */
const testEnv = {
  NODE_ENV: "test",
  FW_SECRETS: "a secret for tests only of 32 bytes or more",
  FW_DRAIN: "0",
}

const reporter = pathToFileURL(programPath("bin/testing/reporter")).href
const lateErrors = pathToFileURL(programPath("bin/testing/late-errors")).href

/**
 * Runs the tests of a project.
 *
 * @throws FwError `no_tests`; `answers` if the types of answers must be known and cannot be read; those of `fw generate templates` and of the bundler; the signal's reason if it
 * aborts.
 */
export async function runTests(
  { project, filter, timeout, strict }: TestOrder,
  io: Pick<Io, "cwd" | "env" | "signal" | "stderr">,
  listener: TestListener,
): Promise<TestRun> {
  const began = performance.now()
  const { root } = project
  const all = await findTests(root)
  const tests = filterTests(all, filter)
  if (all.length === 0) throw projectFault("no_tests")
  if (tests.length === 0) throw projectFault("no_tests.filter", [filter ?? "", all])
  await provideFramework(root, (text) => io.stderr.write(`${text}\n`))
  const { calls } = await writeGenerated(project)
  warnOfCalls(callWarnings(root, calls.problems), io)
  const { path } = await makeDirectory({ root, path: ".fw/tests" })
  const own = OwnDirectory.ofProcess(path)
  const clear = () => own.clear()
  process.once("exit", clear)
  try {
    const bundles = await bundleTests({ root, tests, directory: own.path, calls: calls.files })
    listener.onFiles?.(bundles.inputs)
    io.signal.throwIfAborted()
    const answers = await TestAnswers.begin(project, own, { inputs: bundles.inputs, isStrict: strict })
    const order = { root, bundles, timeout, recorder: answers?.recorder }
    const { totals, failures } = await runBundles(order, io, listener)
    const { wrong, uncompared } = (await answers?.compare(bundles.files)) ?? nothingCompared
    return { ...totals, failures, answers: wrong, uncompared, ms: Math.round(performance.now() - began) }
  } finally {
    process.off("exit", clear)
    clear()
  }
}

/** Shows the calls that are not checked against a type, as a build does. */
function warnOfCalls(problems: readonly Problem[], { stderr, env }: Pick<Io, "stderr" | "env">): void {
  const { style, width } = viewOf(stderr, env)
  for (const problem of problems) stderr.write(problemText(problem, style, "warning", width))
}

interface BundleOrder {
  readonly root: string
  readonly bundles: TestBundles
  readonly timeout: number
  /** The module that each process loads first. */
  readonly recorder: string | undefined
}

async function runBundles(
  { root, bundles: { files }, timeout, recorder }: BundleOrder,
  io: Pick<Io, "env" | "signal">,
  { onFile, onOutput }: TestListener,
): Promise<TestResults> {
  const results = new TestResults(root, files, onFile, unreadNames(root, { ...testEnv, ...io.env }))
  const limit = new IdleLimit(timeout)
  const order = {
    program: process.execPath,
    args: [
      ...programFlags,
      "--enable-source-maps",
      `--import=${lateErrors}`,
      ...(recorder === undefined ? [] : [`--import=${recorder}`]),
      "--test",
      `--test-reporter=${reporter}`,
      ...files.keys(),
    ],
    cwd: root,
    // A run inside another run of Node's tests would report to that one.
    env: { ...testEnv, ...io.env, NODE_TEST_CONTEXT: undefined },
    signal: io.signal,
    name: "node --test",
    keep: 10_000,
    onLine: (line: string, from: "stdout" | "stderr") => {
      const record = from === "stdout" ? recordOf(line) : null
      if (!record) return onOutput(from, `${line}\n`)
      limit.restart()
      results.add(record)
      if (record.kind === "output") onOutput(record.stream, record.text)
    },
  }
  const running = startProgram(order)
  limit.start(() => void running.stop())
  const end = await running.ended.finally(() => limit.end())
  io.signal.throwIfAborted()
  if (limit.isOver) addStuck(results, timeout)
  else if (!isResult(end, results)) throw programFailed(order, end)
  results.end()
  return results
}

/** Returns the names of the variables in `.env` that tests do not have. A broken file is reported by `fw dev`. */
function unreadNames(root: string, env: Readonly<Record<string, string | undefined>>): string[] {
  try {
    const names = Object.keys(serverEnv({ root, appDir: "" }, {}))
    return names.filter((name) => env[name] === undefined && name !== "FW_DEV" && /^\w+$/.test(name))
  } catch {
    return []
  }
}

/** Returns true if the exit code fits the results: 1 if a test failed. */
function isResult({ code }: ProgramEnd, { totals }: TestResults): boolean {
  return code === 0 || (code === 1 && totals.failed > 0)
}

/** Adds the tests that ran when the time was over. */
function addStuck(results: TestResults, timeout: number): void {
  const message = `no test ended for ${timeout} seconds. Close what stays open, such as a server or a timer, or set a longer --timeout`
  const places = results.running
  for (const place of places.length > 0 ? places : ["node --test"]) results.addStuck(place, message)
}

function recordOf(line: string): TestRecord | null {
  if (!line.startsWith('{"kind":"')) return null
  try {
    return JSON.parse(line) as TestRecord
  } catch {
    return null
  }
}

/** A time in which something must happen, again and again. */
class IdleLimit {
  isOver = false
  readonly #ms: number
  #timer: NodeJS.Timeout | undefined

  constructor(seconds: number) {
    this.#ms = seconds * 1000
  }

  start(onOver: () => void): void {
    if (this.#ms === 0) return
    this.#timer = setTimeout(() => {
      this.isOver = true
      onOver()
    }, this.#ms)
  }

  restart(): void {
    this.#timer?.refresh()
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
