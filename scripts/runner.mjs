/** Runs uvu tests, each job in a process of its own, and counts what they report. */
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { root, ScriptError } from "./common.mjs"
import { withSourcePlaces } from "./stacks.mjs"

/**
 * One process to run, which prints uvu's summary: a test file, or an example's own tests. With `together`, it is several
 * test files, and `scripts/together.mjs` puts a line with `mark` before each.
 *
 * @typedef {{ name: string, program: string, args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv, together?: { files: readonly string[], mark: string } }} Job
 */

/**
 * The result of a test file or an example. `problem` is a problem other than failing tests; it counts as one failure.
 *
 * @typedef {{ name: string, passed: number, failed: number, skipped: number, problem?: string, output: string, seconds: number }} Result
 */

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set()

/**
 * The job of one test file.
 *
 * @param {string} file relative to `cwd`
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Job}
 */
export function testFile(file, cwd, env) {
  return { name: file, program: process.execPath, args: [file], cwd, env }
}

/**
 * The job of several test files that run one after the other in one process, which loads the modules they share only once.
 *
 * @param {readonly string[]} files relative to `cwd`
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Job}
 */
export function testFilesTogether(files, cwd, env) {
  const mark = randomUUID()
  const args = [join(root, "scripts", "together.mjs"), mark, ...files]
  return { name: files.join(", "), program: process.execPath, args, cwd, env, together: { files, mark } }
}

/**
 * Runs jobs, some at a time, and reports each file or example as it ends.
 *
 * @param {readonly Job[]} jobs
 * @param {{ atOnce: number, seconds: number, onResult?: (result: Result) => void }} options
 * @returns {Promise<Result[]>}
 */
export async function runJobs(jobs, { atOnce, seconds, onResult }) {
  const queue = [...jobs]
  const results = []
  const work = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      for await (const result of job.together ? runTogether(job, seconds) : [await runAlone(job, seconds)]) {
        results.push(result)
        onResult?.(result)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

/**
 * @param {Job} job
 * @param {number} seconds after which it is killed
 * @returns {Promise<Result>}
 */
async function runAlone(job, seconds) {
  const started = performance.now()
  const { output, how } = await runProcess(job, seconds)
  return toResult(job.name, output, how, (performance.now() - started) / 1000)
}

/**
 * Runs a job of several files. If the process ends at one of them, that is this file's problem, and those after it run in
 * another process. If it ends badly after all of them, each runs on its own, to find the one that is the reason.
 *
 * @param {Job} job
 * @param {number} seconds for each file
 * @returns {AsyncGenerator<Result>}
 */
async function* runTogether({ together: { files, mark }, ...job }, seconds) {
  const { name, cwd, env } = job
  const { output, errors, how } = await runProcess(job, seconds, mark)
  const results = marked(output, errors, mark).map(({ file, text, changed, took }) => {
    const end = took === undefined ? (how ?? "ended the process") : undefined
    const result = toResult(file, text, end, took ?? 0)
    if (changed !== undefined) result.problem = `changes ${changed} for the files that run after it`
    return { ...result, isWhole: took !== undefined }
  })
  const rest = files.slice(results.length)
  if (rest.length > 0 || how === undefined || !results.at(-1)?.isWhole) {
    yield* results
    // The program that runs the files does not work, so it would be started again and again.
    if (results.length === 0) throw new ScriptError(`${name}: ${how}\n${output}${errors}`)
    if (rest.length > 0) yield* runTogether(testFilesTogether(rest, cwd, env), seconds)
    return
  }
  let isGood = true
  for (const file of files) {
    const result = await runAlone(testFile(file, cwd, env), seconds)
    isGood &&= result.failed === 0 && result.problem === undefined
    yield result
  }
  const problem = `${how} when its files ran in one process, and each of them passes on its own`
  if (isGood) yield { ...toResult(name, output + errors, how, 0), passed: 0, failed: 0, problem }
}

/**
 * Splits what `scripts/together.mjs` printed.
 *
 * @param {string} output @param {string} errors @param {string} mark
 * @returns {{ file: string, text: string, changed?: string, took?: number }[]} of the files that began. One that did not
 *   end did not take a time
 */
function marked(output, errors, mark) {
  const split = (text) =>
    text.split(`\n${mark} `).map((part) => /^(\w+) ?([^\n]*)\n(.*)$/s.exec(part) ?? [part])
  const late = split(errors)
  const files = []
  for (const [, kind, name, text] of split(output).slice(1)) {
    if (kind === "changed") files[files.length - 1].changed = name
    if (kind === "ended") files[files.length - 1].took = Number(name)
    if (kind !== "file") continue
    const error = late.find(([, kind, other]) => kind === "file" && other === name)
    files.push({ file: name, text: `${text}${error?.[3] ?? ""}` })
  }
  return files
}

/**
 * @param {Job} job
 * @param {number} seconds after which it is killed, from its start or from the latest mark
 * @param {string} [mark]
 * @returns {Promise<{ output: string, errors: string, how?: string }>} `output` has both streams if there is no mark
 */
async function runProcess({ program, args, cwd, env = process.env }, seconds, mark) {
  // A group of its own, so that what a test leaves behind ends with it.
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true })
  running.add(child)
  const [chunks, errors] = [[], []]
  let late = false
  const timer = setTimeout(() => {
    late = true
    killGroup(child)
  }, seconds * 1000)
  child.stdout.on("data", (chunk) => {
    chunks.push(chunk)
    if (mark !== undefined && chunk.includes(mark)) timer.refresh()
  })
  child.stderr.on("data", (chunk) => (mark === undefined ? chunks : errors).push(chunk))
  const exit = await ended(child)
  clearTimeout(timer)
  running.delete(child)
  const how = late ? `did not end within ${seconds} s and was killed` : exit
  const text = (list) => Buffer.concat(list).toString()
  return { output: text(chunks), errors: text(errors), how }
}

/**
 * @param {string} name @param {string} output @param {string | undefined} how the process ended, unless well
 * @param {number} seconds
 * @returns {Result}
 */
function toResult(name, output, how, seconds) {
  const judged = judge(output, how)
  const isGood = judged.failed === 0 && judged.problem === undefined
  return { name, ...judged, output: isGood ? output : withSourcePlaces(output), seconds }
}

/**
 * Waits for the process, ends its group and then takes the rest of its output.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<string | undefined>} how it ended, unless well
 */
function ended(child) {
  return new Promise((resolve) => {
    let how
    child.on("error", (error) => resolve(`could not be started: ${error.message}`))
    child.on("exit", (code, signal) => {
      if (code !== 0) how = signal ? `ended by ${signal}` : `ended with exit code ${code}`
      killGroup(child)
      // A process that left the group may still hold the pipes; it must not hold the run.
      setTimeout(() => resolve(how), 1000).unref()
    })
    child.on("close", () => resolve(how))
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

/** Ends every job that is running, for a run that has to stop. */
export function killAll() {
  for (const child of running) killGroup(child)
}

/**
 * Reads uvu's summary: the last one, as a test may print another's.
 *
 * @param {string} output
 * @param {string | undefined} how the process ended, unless well
 * @returns {Pick<Result, "passed" | "failed" | "skipped" | "problem">}
 */
export function judge(output, how) {
  // uvu ends the last line of these later, so that text of the other stream may follow it.
  const summary = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)/gm
  const last = [...stripVTControlCharacters(output).matchAll(summary)].at(-1)
  const [total, passed, skipped] = last ? last.slice(1).map(Number) : [0, 0, 0]
  const counts = { passed, failed: total - passed, skipped }
  if (last && total + skipped === 0) return { ...counts, problem: "has no test" }
  if (last && how && counts.failed > 0 && !how.includes("killed")) return counts
  if (how) return { ...counts, problem: how }
  if (!last) return { ...counts, problem: "has no test that ran: is test.run() missing?" }
  return counts
}
