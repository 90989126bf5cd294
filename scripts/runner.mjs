/** Runs jobs of uvu tests, each in a process of its own, and counts their results. */
import { spawn } from "node:child_process"
import { stripVTControlCharacters } from "node:util"

/**
 * A process to run, which prints uvu's summary. With `files`, it runs these test files by scripts/test-files.mjs, which
 * prints a title and a summary for each file; `note` is appended to their names in the results. Without `files`, it is a
 * program with a name. The process starts when `after` has resolved.
 *
 * @typedef {{ name?: string, files?: readonly string[], note?: string, program: string, args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv, after?: Promise<unknown> }} Job
 */

/**
 * The result of a test file, or of a job without files. `problem` says what went wrong besides failing tests; it counts as
 * one more failure.
 *
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, problem?: string, output: string, seconds: number }} Result
 */

/**
 * The flags with which Node runs the sources: a condition under which imports of the package lead to its sources, and a
 * loader for a Node that cannot run TypeScript. The path of the loader is absolute, so it works in every directory.
 */
export const sourceFlags = [
  ...(process.features.typescript ? [] : [`--import=${new URL("loader.mjs", import.meta.url)}`]),
  "--conditions=fw-source",
]

/** Returns the line that is printed before the output of a file. @param {string} file */
export function formatTitle(file) {
  return `\n# ${file}\n`
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const runningJobs = new Set()

/**
 * Runs jobs, at most `maxJobs` at a time, and reports each result when a job ends.
 *
 * @param {readonly Job[]} jobs
 * @param {{ maxJobs: number, seconds: number, onResult?: (result: Result) => void }} options
 * @returns {Promise<Result[]>}
 */
export async function runJobs(jobs, { maxJobs, seconds, onResult }) {
  const queue = [...jobs]
  const results = []
  const work = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      for (const result of await runJob(job, seconds)) {
        results.push(result)
        onResult?.(result)
      }
    }
  }
  await Promise.all(Array.from({ length: maxJobs }, work))
  return results
}

/**
 * Runs a job. Each of its files may take some seconds, then the process is killed.
 *
 * @param {Job} job
 * @param {number} seconds for each file
 * @returns {Promise<Result[]>}
 */
async function runJob({ name = "", files, note = "", program, args, cwd, env = process.env, after }, seconds) {
  await after
  const startTime = performance.now()
  // The process leads a group of its own, so that processes which a test leaves behind can be ended with it.
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true })
  runningJobs.add(child)
  const chunks = []
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    killGroup(child)
  }, seconds * 1000)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      chunks.push(chunk)
      // The time of a file begins when its title is printed.
      if (files?.some((file) => chunk.includes(formatTitle(file)))) timer.refresh()
    })
  }
  const exit = await waitForEnd(child)
  clearTimeout(timer)
  runningJobs.delete(child)
  const output = Buffer.concat(chunks).toString()
  const exitReason = isLate ? `did not end within ${seconds} s and was killed` : exit
  if (files) return judgeFiles(files, output, exitReason).map((one) => ({ ...one, name: one.name + note }))
  return [{ name, ...judgeOutput(output, exitReason), output, seconds: (performance.now() - startTime) / 1000 }]
}

/**
 * Returns the results of files that share a process. If the process failed, the file that ran last gets the blame, and
 * so does each file that did not begin.
 *
 * @param {readonly string[]} files
 * @param {string} output
 * @param {string | undefined} failure how the process ended; undefined if it succeeded
 * @returns {Result[]}
 */
function judgeFiles(files, output, failure) {
  const starts = files.map((file) => output.indexOf(formatTitle(file)))
  const last = starts.lastIndexOf(Math.max(...starts))
  return files.map((name, index) => {
    const start = starts[index]
    if (start < 0) {
      const problem = `did not begin, because the process that it shares with other files ${failure ?? "ended"}`
      return { name, passed: 0, failed: 0, skipped: 0, problem, output: "", seconds: 0 }
    }
    const next = starts.find((other) => other > start)
    const text = output.slice(start + formatTitle(name).length, next)
    const seconds = Number(/^ {2}Duration: +([\d.]+)ms$/gm.exec(text)?.[1] ?? 0) / 1000
    return { name, ...judgeOutput(text, index === last ? failure : undefined), output: text, seconds }
  })
}

/**
 * Waits for the end of a process, ends its group and waits for the end of its output.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<string | undefined>} how the process ended; undefined if it succeeded
 */
function waitForEnd(child) {
  return new Promise((resolve) => {
    let failure
    child.on("error", (error) => resolve(`could not be started: ${error.message}`))
    child.on("exit", (code, signal) => {
      if (code !== 0) failure = signal ? `ended by ${signal}` : `ended with exit code ${code}`
      killGroup(child)
      // A process that has left the group may keep the pipes open. The run must not wait for it.
      setTimeout(() => resolve(failure), 1000).unref()
    })
    child.on("close", () => resolve(failure))
  })
}

/** @param {import("node:child_process").ChildProcess} child */
function killGroup(child) {
  try {
    process.kill(-(/** @type {number} */ (child.pid)), "SIGKILL")
  } catch (error) {
    if (error.code !== "ESRCH") throw error
  }
}

/** Kills all running jobs when the run itself is stopped. */
export function killAll() {
  for (const child of runningJobs) killGroup(child)
}

/**
 * Reads uvu's summary. The last one in the output counts, because a test may print the summary of another run.
 *
 * @param {string} output
 * @param {string | undefined} failure how the process ended; undefined if it succeeded
 * @returns {Pick<Result, "passed" | "failed" | "skipped" | "problem">}
 */
export function judgeOutput(output, failure) {
  // uvu writes the end of the last of these lines later, so text from standard error may be on that line too.
  const summary = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)/gm
  const last = [...stripVTControlCharacters(output).matchAll(summary)].at(-1)
  const [total, passed, skipped] = last ? last.slice(1).map(Number) : [0, 0, 0]
  const counts = { passed, failed: total - passed, skipped }
  if (last && total + skipped === 0) return { ...counts, problem: "has no test" }
  if (last && failure && counts.failed > 0 && !failure.includes("killed")) return counts
  if (failure) return { ...counts, problem: failure }
  if (!last) return { ...counts, problem: "has no test that ran: could it not be loaded, or is test.run() missing?" }
  return counts
}
