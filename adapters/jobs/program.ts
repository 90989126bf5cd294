/**
 * Runs the commands about jobs, for `fw jobs` and `fw task`, and for `jobs` and `task` as the first argument of a built
 * program.
 */
import { parseArgs } from "node:util"
import type { App } from "../../lib/app.ts"
import type { ClaimedJob, JobRecord, JobState } from "../../lib/jobs/engine.ts"
import { jobFault } from "../../lib/jobs/fault.ts"
import { createJobData, jobStates } from "../../lib/jobs/job-data.ts"
import { addJob, findDefinition, type OpenJobs, openJobs } from "../../lib/jobs/jobs.ts"
import { writePayload } from "../../lib/jobs/payload.ts"
import { runAttempt } from "../../lib/jobs/run-job.ts"
import { toOwnCommand } from "../../lib/own-command.ts"
import { answerCommand } from "../shared/program-command.ts"
import { type StartedJobs, startJobs } from "./start.ts"

/** A job file, and the numbers of its jobs. */
export interface JobSummary extends Readonly<Record<JobState, number>> {
  readonly name: string
  readonly isPaused: boolean
}

/** The result of a command. Each command sets some of the fields. */
export interface JobResult {
  readonly names?: readonly JobSummary[]
  readonly jobs?: readonly JobRecord[]
  readonly schedule?: readonly { readonly name: string; readonly at: string; readonly timezone: string }[]
  /** The id of the job that was added; null if there is one with its unique key already. */
  readonly added?: string | null
  /** The number of jobs that were retried or removed. */
  readonly count?: number
  /** What the command has done, for people. */
  readonly done?: string | undefined
}

/** The jobs that a process runs. */
export interface ProgramJobs extends StartedJobs {
  /** Runs a command of `fw jobs`, such as `["list", "--state=failed"]`. @throws FwError as the command does. */
  command(args: readonly string[]): Promise<JobResult>
}

type Flags = { readonly state?: JobState; readonly id?: string; readonly delay?: string }
type Run = (jobs: OpenJobs, args: readonly string[], flags: Flags) => Promise<JobResult>

/** Maximum number of jobs in a list. */
const maxListed = 50
const maxTimes = 10

function parsePayload(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw jobFault("job_command.payload", [text])
  }
}

async function setPaused(jobs: OpenJobs, name: string, isPaused: boolean): Promise<JobResult> {
  await jobs.engine.setPaused(findDefinition(jobs, name).name, isPaused)
  return { done: isPaused ? `paused ${name}: ${toOwnCommand(`jobs resume ${name}`)} goes on` : `resumed ${name}` }
}

const commands: Readonly<Record<string, Run>> = {
  async list({ engine, definitions }, [name], { state }) {
    if (name !== undefined || state !== undefined) {
      const jobs = await engine.list({ name, state }, maxListed)
      return { jobs, done: jobs.length === 0 ? "there are no such jobs" : undefined }
    }
    const [counts, paused] = await Promise.all([engine.count(), engine.listPaused()])
    // Jobs whose file was removed are shown too, because nothing will run them.
    const names = new Set([...definitions.keys(), ...counts.map((one) => one.name)])
    const summaries = [...names].sort().map((name) => {
      const own = counts.filter((one) => one.name === name).map(({ state, count }) => [state, count])
      return { name, waiting: 0, running: 0, failed: 0, ...Object.fromEntries(own), isPaused: paused.includes(name) }
    })
    return { names: summaries }
  },
  async show({ engine }, [id]) {
    const found = id === undefined ? [] : await engine.list({ id }, 1)
    if (found.length === 0) throw jobFault("job_command.id", [id])
    return { jobs: found }
  },
  async add(_, [name = "", payload], { delay }) {
    const added = await addJob(name, parsePayload(payload), delay === undefined ? {} : { delay: Number(delay) })
    return { added, done: added === null ? "a job with this unique key waits or runs already" : `added #${added}` }
  },
  async retry({ engine }, [id]) {
    const count = await engine.retry({ id })
    if (id !== undefined && count === 0) {
      const [found] = await engine.list({ id }, 1)
      throw found ? jobFault("job_command.retry", [id, found.state]) : jobFault("job_command.id", [id])
    }
    return { count, done: `retried ${count}` }
  },
  async clear({ engine }, [name], { state, id }) {
    if (name === undefined && state === undefined && id === undefined) throw jobFault("job_command.clear")
    const count = await engine.clear({ name, id, state })
    return { count, done: `removed ${count}` }
  },
  pause: (jobs, [name = ""]) => setPaused(jobs, name, true),
  resume: (jobs, [name = ""]) => setPaused(jobs, name, false),
  async schedule({ definitions, clock }) {
    const all: { name: string; at: string; timezone: string }[] = []
    for (const { name, options, times } of definitions.values()) {
      let left = maxTimes
      for (const at of times(clock.now())) {
        all.push({ name, at: new Date(at).toISOString(), timezone: options.timezone ?? "UTC" })
        if (--left === 0) break
      }
    }
    const schedule = all.sort((a, b) => (a.at < b.at ? -1 : 1)).slice(0, maxTimes)
    return { schedule, done: schedule.length === 0 ? "no job has a schedule" : undefined }
  },
}

/** Runs a job now in this process, without the engine. If the job throws, the command fails with its error. */
async function runTask(jobs: OpenJobs, name: string, payload: string | undefined): Promise<JobResult> {
  const definition = findDefinition(jobs, name)
  const data = createJobData(await writePayload(definition, parsePayload(payload)))
  const claimed: ClaimedJob = { id: crypto.randomUUID(), claim: "1", name, attempt: 1, data }
  const stopController = new AbortController()
  const abort = () => stopController.abort(jobFault("job_stopped", [name]))
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, abort)
  await runAttempt(definition, claimed, {
    engine: { name: "task", features: new Set(["steps"]), save: async () => true },
    clock: jobs.clock,
    stopController,
  })
  return { done: `ran ${name}` }
}

/**
 * If the first argument of the program is `jobs` or `task`, runs that command and ends the process. Otherwise runs the
 * jobs of the program, as {@link startJobs} does.
 *
 * @param prepare as that of `startJobs()`.
 * @throws FwError as `startJobs()` does.
 * @example
 * await app.scan()
 * await app.mount()
 * await beginJobs(app)
 */
export async function beginJobs(app: App, prepare?: (listens: boolean) => Promise<void>): Promise<ProgramJobs> {
  const [kind, ...args] = process.argv.slice(2)
  if (kind !== "jobs" && kind !== "task")
    return { ...(await startJobs(app, prepare)), command: async (given) => runCommand("jobs", given, await openJobs()) }
  const run = async () => {
    const jobs = await openJobs()
    try {
      return await runCommand(kind, args, jobs)
    } finally {
      await jobs.engine.close()
    }
  }
  const code = await answerCommand(args.includes("--json"), run, {
    format: formatJobs,
    explain: (message) => jobFault("job_command.failed", [message]),
  })
  await app.shutdown()
  process.exit(code)
}

async function runCommand(kind: "jobs" | "task", args: readonly string[], jobs: OpenJobs): Promise<JobResult> {
  const text = { type: "string" } as const
  const options = { json: { type: "boolean" } as const, state: text, id: text, delay: text }
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [first = "", ...rest] = positionals
  if (kind === "task") return runTask(jobs, first, rest[0])
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!command) throw jobFault("job_command", [first, Object.keys(commands)])
  const { state = "waiting" } = values as Flags
  if (!jobStates.includes(state)) throw jobFault("job_command.state", [state])
  return command(jobs, rest, values as Flags)
}

/** Returns the result of a command as text for people. */
export function formatJobs({ names = [], jobs = [], schedule = [], done }: JobResult): string {
  const lines = [
    ...names.map(formatSummary),
    ...jobs.map(jobs.length === 1 ? formatJob : formatLine),
    ...schedule.map(({ at, name, timezone }) => `${at}  ${name}  (${formatIn(at, timezone)} ${timezone})`),
    ...(done === undefined ? [] : [done]),
  ]
  return `${lines.join("\n")}\n`
}

function formatSummary({ name, waiting, running, failed, isPaused }: JobSummary): string {
  return `${name.padEnd(24)} ${waiting} waiting, ${running} running, ${failed} failed${isPaused ? ", paused" : ""}`
}

function formatLine({ id, name, state, attempt, error }: JobRecord): string {
  const [why] = error?.split("\n") ?? []
  return `#${id.padEnd(8)} ${state.padEnd(8)} ${name}  attempt ${attempt}${why ? `  ${why}` : ""}`
}

function formatJob(job: JobRecord): string {
  const { payload, due, progress, error } = job
  return [
    formatLine({ ...job, error: undefined }),
    `  payload   ${payload}`,
    `  due       ${new Date(due).toISOString()}`,
    ...(progress === undefined ? [] : [`  progress  ${Math.round(progress * 100)} %`]),
    ...(error === undefined ? [] : [`  error     ${error.replaceAll("\n", "\n            ")}`]),
  ].join("\n")
}

/** Returns a time in a time zone: `2026-03-29 03:00`. */
function formatIn(at: string, timeZone: string): string {
  return new Date(at).toLocaleString("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" })
}
