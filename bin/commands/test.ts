/** `fw test`: runs the project's tests, once or after every change. */
import type { OptionsOf } from "../cli/spec.ts"
import { createView, type Io, type Output, type Style, throwIfInterrupted, type View } from "../cli/terminal.ts"
import { usageError } from "../messages/usage.ts"
import { formatProblem } from "../project/problems.ts"
import { checkProject } from "../project/project.ts"
import type * as specs from "../specs/project.ts"
import type { FileResult, TestFailure } from "../testing/run-results.ts"
import { runTests, type TestListener, type TestRun, type TestRunOptions } from "../testing/run-tests.ts"
import { watchTests } from "../testing/watch-tests.ts"

/** The number of answers to return that do not match their types. */
const maxAnswers = 50

/**
 * The result of the tests. It contains the failures that limit and offset select, and the first answers that do not
 * match their types.
 */
export interface TestData extends TestRun {
  /** The number of all answers that do not match their types. */
  readonly wrongAnswers: number
}

/** The result for printing; null after `--watch`. With `strict`, warnings count as failures. */
type TestResult = { readonly data: TestData; readonly offset: number; readonly strict: boolean } | null

/**
 * Runs the tests.
 *
 * @throws FwError `no_tests`, and the errors of generating files and of bundling.
 */
export async function run(options: OptionsOf<typeof specs.test>, io: Io): Promise<TestResult> {
  const { text, watch, timeout, strict: isStrict, appDir, limit, offset } = options
  const project = { root: io.cwd, appDir }
  checkProject(project)
  const runOptions: TestRunOptions = { project, filter: text, timeout, isStrict }
  if (watch) {
    // With --json, both streams are standard error.
    if (io.stdout === io.stderr) throw usageError("usage.together", ["--watch", "--json"])
    await watchTests(runOptions, io, {
      listener: createListener(io),
      show: (run) => printRun({ ...run, wrongAnswers: run.answers.length }, isStrict, io),
    })
    throwIfInterrupted(io.signal)
    return null
  }
  const { failures, answers, ...totals } = await runTests(runOptions, io, createListener(io))
  const data = {
    ...totals,
    failures: failures.slice(offset, offset + limit),
    answers: answers.slice(0, maxAnswers),
    wrongAnswers: answers.length,
  }
  return { data, offset, strict: isStrict }
}

/** Returns the result for `--json` and MCP. */
export function data(result: TestResult): TestData | undefined {
  return result?.data
}

/** Returns 1 if a test failed. With `--strict`, also if an answer does not match its type. */
export function exitCode(result: TestResult): number {
  if (!result) return 0
  const { data, strict } = result
  return data.failed > 0 || (strict && data.answers.length > 0) ? 1 : 0
}

/** Returns each failure with its lines, and the totals. */
export function print(result: TestResult, { style }: Pick<View, "style">): string {
  return result ? formatRun(result.data, style, result) : ""
}

function printRun(data: TestData, strict: boolean, { stdout, env }: Io): void {
  stdout.write(formatRun(data, createView(stdout, env).style, { offset: 0, strict }))
}

function formatRun(
  { failures, failed, ...data }: TestData,
  style: Style,
  { offset, strict }: Omit<NonNullable<TestResult>, "data">,
): string {
  const texts = failures.map((failure) => `\n${formatFailure(failure, style)}`)
  const end = offset + failures.length
  const more = end < failed ? style.dim(`\nFor the other failures: fw test --offset ${end}\n`) : ""
  return `${texts.join("")}${more}${formatAnswers(data, style, strict)}\n${formatTotals({ failed, ...data }, style, strict)}\n`
}

/** Returns the answers that do not match their types, or the reason why none was compared. */
function formatAnswers(
  { answers, wrongAnswers, uncompared }: Pick<TestData, "answers" | "wrongAnswers" | "uncompared">,
  style: Style,
  strict: boolean,
) {
  const texts = answers.map(({ message, fix, file, line, column, test }) => {
    // Without a code frame: the mistake is in the type, and many routes may send the same type.
    const problem = { message, fix, file, line, column, request: `sent in ${test}` }
    return `\n${formatProblem(problem, style, strict ? "error" : "warning")}`
  })
  const hiddenCount = wrongAnswers - answers.length
  const more =
    hiddenCount > 0 ? style.dim(`\n${hiddenCount} more answers do not fit their types. These are the first.\n`) : ""
  const hint = answers.length > 0 && !strict ? style.dim("\nWith fw test --strict these are errors.\n") : ""
  const reason =
    uncompared === null ? "" : `\nAnswers were not compared with their types: ${uncompared.replace(/\.$/, "")}.\n`
  return texts.join("") + more + hint + reason
}

function formatFailure({ name, test, file, line, message, fix, frame, stack }: TestFailure, style: Style): string {
  const location = line === null ? file : `${file}:${line}`
  const from = test === file || test === name ? "" : style.dim(` in ${test}`)
  const lines = [
    `${style.red("✗")} ${style.bold(name)}${from}`,
    style.cyan(location),
    message,
    frame ?? "",
    fix ?? "",
    // The first line was printed above as the position.
    ...stack.slice(1).map((one) => style.dim(`at ${one}`)),
  ]
  return `${lines
    .filter((text) => text !== "")
    .join("\n")
    .replace(/\n(?=.)/g, "\n  ")}\n`
}

function formatTotals(
  { total, passed, failed, skipped, todo, files, wrongAnswers, ms }: Omit<TestData, "failures" | "answers">,
  style: Style,
  strict: boolean,
) {
  const name = strict ? "error" : "warning"
  const count = `${wrongAnswers} ${name}${wrongAnswers === 1 ? "" : "s"}`
  const parts = [
    ...(failed > 0 ? [style.red(`${failed} failed`)] : []),
    passed > 0 ? style.green(`${passed} passed`) : `${passed} passed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(todo > 0 ? [`${todo} to do`] : []),
    ...(wrongAnswers > 0 ? [strict ? style.red(count) : style.yellow(count)] : []),
  ]
  const where = `${total} ${total === 1 ? "test" : "tests"} in ${files} ${files === 1 ? "file" : "files"}`
  return `${parts.join(", ")} ${style.dim(`(${where}, ${formatTime(ms)})`)}`
}

function formatTime(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Returns a listener that prints a line for each file, and the output of the tests. */
function createListener({ stdout, stderr, env }: Io): TestListener {
  const outputs: Readonly<Record<"stdout" | "stderr", Output>> = { stdout, stderr }
  const { style } = createView(stdout, env)
  return {
    onFile: (result) => stdout.write(formatFileResult(result, style)),
    onOutput: (stream, text) => outputs[stream].write(text),
  }
}

function formatFileResult({ file, tests, failed, ms }: FileResult, style: Style): string {
  const mark = failed > 0 ? style.red("✗") : style.green("✓")
  const counts = `${tests} ${tests === 1 ? "test" : "tests"}${failed > 0 ? `, ${failed} failed` : ""}`
  return `${mark} ${file} ${style.dim(`(${counts}, ${formatTime(ms)})`)}\n`
}
