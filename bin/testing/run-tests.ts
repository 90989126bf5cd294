/** Runs a project's tests: generates code, bundles the test files, and runs the bundles with Node's test runner. */
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { createView, type Io } from "../cli/terminal.ts"
import { writeGenerated } from "../generate/generated.ts"
import { projectFault } from "../messages/project.ts"
import { provideFramework } from "../project/local-copy.ts"
import { formatProblem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { makeDirectory } from "../system/directories.ts"
import { OwnDirectory } from "../system/own-directory.ts"
import { getProgramPath, programFlags } from "../system/package.ts"
import { programFailedError, startProgram } from "../tools/program.ts"
import { toCallWarnings } from "../validators/prepare-validators.ts"
import { toBundleName } from "./bundle-name.ts"
import { bundleTests } from "./bundle-tests.ts"
import { type ComparedAnswers, checkAnswerTypes, compareAnswers, startAnswerTypes } from "./compare-answers.ts"
import { filterTests, findTests } from "./find-tests.ts"
import { type FileResult, type ReportLine, RunResults, type TestFailure } from "./run-results.ts"

/** The options of a run. */
export interface TestRunOptions {
  readonly project: Project
  /** Only files whose paths contain this text. Default: all test files. */
  readonly filter?: string | undefined
  /** The run ends if no test ends within so many seconds. 0 for no limit. */
  readonly timeout: number
  /** True to fail if the types of answers cannot be read. */
  readonly isStrict: boolean
}

/** Functions that are called during a run. */
export interface TestListener {
  /** Called when the files of the run are known, even if it fails later. */
  readonly onFiles?: (inputs: ReadonlySet<string>) => void
  readonly onFile: (result: FileResult) => void
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void
}

/** The totals of a run. */
export interface TestTotals {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly todo: number
  /** The number of test files. */
  readonly files: number
}

/** The result of a run, with the answers that do not match their types. */
export interface TestRun extends TestTotals, ComparedAnswers {
  readonly failures: readonly TestFailure[]
  /** Duration of the run, in milliseconds. */
  readonly ms: number
}

/**
 * Default variables for tests. Signed cookies need a secret, and app.shutdown() need not wait for load balancers.
 */
const testEnv = {
  NODE_ENV: "test",
  FW_SECRETS: "a secret for tests only of 32 bytes or more",
  FW_DRAIN: "0",
}

/**
 * Runs the tests of a project.
 *
 * @throws FwError `no_tests`; `answers` if the types of answers cannot be read but must be; the errors of `fw
 * generate templates` and of bundling; the signal's reason if it aborts.
 */
export async function runTests(
  order: TestRunOptions,
  io: Pick<Io, "cwd" | "env" | "signal" | "stderr">,
  listener: TestListener,
): Promise<TestRun> {
  const startedAt = performance.now()
  const { project, filter, isStrict } = order
  const { root } = project
  const allTests = await findTests(root)
  const tests = filterTests(allTests, filter)
  if (allTests.length === 0) throw projectFault("no_tests")
  if (tests.length === 0) throw projectFault("no_tests.filter", [filter ?? "", allTests])
  await provideFramework(root, (text) => io.stderr.write(`${text}\n`))
  const { calls } = await writeGenerated(project)
  // As in a build, calls that are not checked against a type are reported.
  const { style, width } = createView(io.stderr, io.env)
  for (const problem of toCallWarnings(root, calls.problems))
    io.stderr.write(formatProblem(problem, style, "warning", width))
  const { path } = await makeDirectory({ root, path: ".fw/tests" })
  const workDirectory = OwnDirectory.createForProcess(path)
  const clear = () => workDirectory.removeAllSync()
  process.once("exit", clear)
  try {
    const inputs = await bundleTests({ root, tests, directory: workDirectory.path, calls: calls.files })
    listener.onFiles?.(inputs)
    io.signal.throwIfAborted()
    const types = startAnswerTypes(project, inputs)
    if (isStrict) checkAnswerTypes(await types, inputs)
    const bundles = new Map(tests.map((test) => [test, join(workDirectory.path, `${toBundleName(test)}.mjs`)]))
    const results = await runBundles(bundles, order, io, listener)
    const comparison = types && (await compareAnswers(root, await types, bundles))
    return {
      ...results,
      answers: [],
      uncompared: null,
      ...comparison,
      ms: Math.round(performance.now() - startedAt),
    }
  } finally {
    process.off("exit", clear)
    clear()
  }
}

async function runBundles(
  bundles: ReadonlyMap<string, string>,
  { project: { root }, timeout }: TestRunOptions,
  { env, signal }: Pick<Io, "env" | "signal">,
  { onFile, onOutput }: TestListener,
): Promise<TestTotals & Pick<TestRun, "failures">> {
  const ground = { root, env: { ...testEnv, ...env } }
  const results = new RunResults(ground, onFile)
  let isStuck = false
  const command = {
    program: process.execPath,
    args: [
      ...programFlags,
      "--enable-source-maps",
      `--import=${pathToFileURL(getProgramPath("bin/testing/child")).href}`,
      "--test",
      `--test-reporter=${pathToFileURL(getProgramPath("bin/testing/reporter")).href}`,
      ...[...bundles.values()].map((path) => relative(root, path)),
    ],
    cwd: root,
    // If this runs inside a test of Node, the inner run would report its results to the outer one.
    env: { ...ground.env, NODE_TEST_CONTEXT: undefined },
    signal,
    name: "node --test",
    keep: 10_000,
    onLine: (text: string, from: "stdout" | "stderr") => {
      const line = from === "stdout" ? parseLine(text) : null
      if (!line) return onOutput(from, `${text}\n`)
      limit?.refresh()
      if (line.kind === "output") onOutput(line.stream, line.text)
      else if (!isStuck) results.add(line)
    },
  }
  const program = startProgram(command)
  const stop = () => {
    isStuck = true
    void program.stop()
  }
  const limit = timeout > 0 ? setTimeout(stop, timeout * 1000) : undefined
  const end = await program.ended.finally(() => clearTimeout(limit))
  signal.throwIfAborted()
  const { totals, failures } = results
  if (isStuck)
    results.addStuck(
      `no test ended for ${timeout} seconds. Close what stays open, such as a server or a timer, or set a longer --timeout`,
    )
  else if (end.code !== 0 && !(end.code === 1 && totals.failed > 0)) throw programFailedError(command, end)
  results.end()
  return { ...totals, files: bundles.size, failures }
}

function parseLine(text: string): ReportLine | null {
  if (!text.startsWith('{"kind":"')) return null
  try {
    return JSON.parse(text) as ReportLine
  } catch {
    return null
  }
}
