/**
 * Starts and ends programs that `fw build` has made. Exported as `fw/start`; the generated entry calls it. With
 * `FW_WORKERS` a program runs as several processes.
 */
import type { Worker } from "node:cluster"
import { relative } from "node:path"
import type { App } from "../lib/app.ts"
import { FwError } from "../lib/errors.ts"
import { readListenSettings } from "../lib/lifecycle/lifecycle.ts"
import { escapeControls, formatBug } from "../lib/log/error-report.ts"
import { usesRecords, writeError, writeLastError, writeMessage } from "../lib/log/process-log.ts"
import { isWithinOneEdit } from "../lib/one-edit.ts"
import { setCommandStart } from "../lib/own-command.ts"
import type { ListenOptions } from "../lib/platform.ts"
import { workerVariable } from "../lib/store/worker-count.ts"
import type { StartMigrations } from "./db/program.ts"
import { env } from "./disk/env.ts"
import { countOpenRequests, describeUnfinished, setConnectionWaits } from "./shared/graceful-stop.ts"
import { startFault } from "./shared/start-fault.ts"
import { dropForeignSockets, readListenOptions } from "./start/address.ts"
import type { WorkerOrder, WorkerReport } from "./start/messages.ts"
import { answerQuestion, type Program } from "./start/questions.ts"
import { supervise } from "./start/supervisor.ts"
import { readVariableFiles } from "./start/variable-files.ts"
import { variables } from "./start/variables.ts"
import { isWorkerCount, maxWorkers } from "./start/worker-count.ts"

export { beginDatabase, type DatabaseProgram, type StartMigrations } from "./db/program.ts"

/** `fw build` replaces this name by facts about the program. A generated entry can also run without them. */
declare const fwProgram: string
const program: Program =
  typeof fwProgram === "undefined" ? { name: "The program", settings: [] } : JSON.parse(fwProgram)

/** Seconds that running requests have to finish. */
const finishTimeoutSeconds = 30
/** Maximum number of errors that are printed for a failure: the error itself and its causes. */
const maxCauses = 5
/** The environment variables of fw whose values may be in files. */
const fwSecrets = ["FW_SECRETS", "FW_TLS_PASSPHRASE"]
/** The environment variables of fw. Variables of the project have other names. */
const fwVariables = [
  "FW_DEV",
  ...fwSecrets.map((name) => `${name}_FILE`),
  ...Object.keys(variables).filter((name) => name.startsWith("FW_")),
]

/**
 * Prepares a program: answers arguments such as `--help`, reports errors of its modules, starts the workers that
 * `FW_WORKERS` asks for, and reads secrets from their files. It must be awaited before the modules of the program are
 * loaded. In the process that starts workers it never resolves, because that process does not load the program.
 *
 * @throws FwError `workers` if `FW_WORKERS` is not a number of workers, or if the runtime is not Node; `variable_file`
 * for a secret that cannot be read.
 * @example
 * await begin()
 */
export async function begin(): Promise<void> {
  process.on("uncaughtException", exitWithError)
  if (typeof fwProgram !== "undefined") setCommandStart(readCommandStart())
  if (await findWorker()) await dropFileArgument()
  else await beginFirst()
  // The workers read the files again, so that SIGHUP makes new secrets effective.
  readVariableFiles([...fwSecrets, ...program.settings], process.env)
}

/** Prepares the first process of a program, which may start workers. */
async function beginFirst(): Promise<void> {
  const answer = await answerQuestion(process.argv.slice(2), program)
  if (answer) {
    ;(answer.code === 0 ? env.out : env.err).write(`${answer.text}\n`)
    process.exit(answer.code)
  }
  dropForeignSockets(process.env)
  // A worker may have started this program as another process. It has inherited the variables, but it is not a worker.
  if (process.env.FW_WORKERS) delete process.env[workerVariable]
  for (const name of Object.keys(process.env)) {
    const suggestion = fwVariables.includes(name) ? undefined : fwVariables.find((one) => isWithinOneEdit(one, name))
    if (suggestion) writeMessage("warn", `${name} is not a variable of fw, and is ignored: use ${suggestion}`, env)
  }
  const [argument = ""] = process.argv.slice(2)
  const command = listCommands().find((one) => isWithinOneEdit(one, argument) && one !== argument)
  if (command) writeMessage("warn", `${argument} is not a command, and the server starts: use ${command}`, env)
  delete process.env[workerVariable]
  const { FW_WORKERS } = process.env
  const onlyRunsJobs = program.hasJobs === true && process.env.FW_JOBS?.startsWith("only") === true
  // Commands and jobs need no workers.
  if (!FW_WORKERS || onlyRunsJobs || listCommands().includes(argument)) return
  const count = await parseWorkerCount(FW_WORKERS)
  // A single worker is useful too, because it can be replaced. "auto" means one worker on a small machine, where SIGHUP
  // must not end the program.
  if (detectRuntime() !== "Node") {
    if (count === 1) return
    throw startFault("workers.runtime", [detectRuntime()])
  }
  const { default: cluster } = await import("node:cluster")
  process.off("uncaughtException", exitWithError)
  const file = (await isExecutable()) ? process.execPath : (process.argv[1] as string)
  const killAfterMs = (finishTimeoutSeconds + 5) * 1000
  await supervise({ cluster, count, file, killAfterMs, metricsPort: process.env.FW_METRICS_PORT })
}

/** Returns the commands of this program, such as `./shop jobs`. */
function listCommands(): string[] {
  return [...(program.hasDatabase ? ["db"] : []), ...(program.hasJobs ? ["jobs", "task"] : [])]
}

/** The jobs that run in the process of the server. `beginJobs()` of `fw/jobs` returns them. */
interface BackgroundJobs {
  /** Starts no further jobs. */
  stopClaiming(): unknown
}

/**
 * What a program does before it listens.
 *
 * @example
 * import { beginJobs } from "fw/jobs"
 * const options: StartOptions = { jobs: (prepare) => beginJobs(app, prepare) }
 */
export interface StartOptions {
  /** The migrations, which {@link beginDatabase} returns. They are applied when all settings have been checked. */
  readonly migrations?: StartMigrations | undefined
  /**
   * Starts the jobs, with `beginJobs()` of `fw/jobs`.
   *
   * @param prepare must be called before the first job runs. `listens` is false for a program that runs jobs and answers no
   * requests.
   */
  readonly jobs?: (prepare: (listens: boolean) => Promise<void>) => Promise<BackgroundJobs>
}

/**
 * Listens at `HOST` and `PORT`, or on a socket of systemd, with the certificate in `FW_TLS_CERT`. Stops gracefully on
 * SIGINT and SIGTERM: running requests have 30 seconds to finish. On SIGTERM, with which service managers stop a
 * program, it first waits until load balancers have noticed the stop. A second signal ends the program at once.
 *
 * With `FW_ASSETS_DIR`, the files that pages load are shared with other builds. With `FW_METRICS_PORT`, metrics are
 * served on that port.
 *
 * @param options the migrations and the jobs of the program. No further jobs are started when the program begins to stop.
 * @throws the FwErrors of `app.listen()`, and FwError `tls`, `listen_fds`, `assets_dir` and `metrics_port`.
 * @example
 * await run(app)
 * await app.shutdown()
 */
export async function run(app: App, { migrations, jobs: startJobs }: StartOptions = {}): Promise<void> {
  const { FW_ASSETS_DIR, FW_METRICS_PORT } = process.env
  migrations?.noteLoaded()
  const worker = await findWorker()
  const place: { options?: Partial<ListenOptions> } = {}
  // A program that does not start because of a wrong setting must not have changed its database.
  const prepare = async (listens: boolean) => {
    if (listens) {
      place.options = await readListenOptions(process.env)
      readListenSettings(place.options, env)
    }
    if (FW_METRICS_PORT) await (await import("./metrics/port.ts")).serveMetrics(FW_METRICS_PORT, worker !== undefined)
    if (FW_ASSETS_DIR) await (await import("./start/shared-assets.ts")).shareAssets(app, FW_ASSETS_DIR)
    await migrations?.apply()
  }
  const jobs = await startJobs?.(prepare)
  if (!startJobs) await prepare(true)
  if (place.options) await app.listen(place.options)
  // Without a listener, the runtime would print the error together with the line of the bundle, which may have
  // thousands of characters.
  process.off("uncaughtException", exitWithError)
  process.on("uncaughtException", exitIfUnhandled)
  if (worker) return obeySupervisor(worker, app, jobs)
  let isStopping = false
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.on(signal, async () => {
      if (isStopping) {
        writeMessage(
          "warn",
          `stopped at once by the second signal: ${formatOpenRequests(countOpenRequests())} open`,
          env,
        )
        process.exit(code)
      }
      isStopping = true
      process.exit(await shutDown(app, jobs, signal))
    })
  }
  // Scripts wait for this line and may send a signal directly after it. So everything must be ready here.
  writeMessage("info", place.options ? `Listening on ${app.addr}` : "Running jobs", env)
}

/** Does what the supervisor asks this worker to do. */
function obeySupervisor(worker: Worker, app: App, jobs: BackgroundJobs | undefined): void {
  // Workers ignore these signals: Ctrl-C reaches all processes of a terminal, and systemd signals all processes of a
  // service.
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => {})
  let finishPromise: Promise<number> | undefined
  const resolversByAnswer = { arrived: [] as (() => void)[], closed: [] as (() => void)[] }
  const ask = (report: WorkerReport, answer: "arrived" | "closed") =>
    new Promise<void>((resolve) => {
      resolversByAnswer[answer].push(resolve)
      worker.send(report)
    })
  setConnectionWaits({
    next: () => ask({ awaits: true }, "arrived"),
    end: () => ask({ closed: true }, "closed"),
  })
  worker.on("message", async ({ order }: { readonly order?: WorkerOrder }) => {
    if (order === "arrived" || order === "closed") for (const resolve of resolversByAnswer[order].splice(0)) resolve()
    else if (order === "exit") {
      const code = await finishPromise
      // The callback is called after earlier messages were sent. They pass connections on to other workers.
      worker.send({}, () => process.exit(code))
    } else if ((order === "drain" || order === "finish") && !finishPromise) {
      finishPromise = shutDown(app, jobs, order === "drain" ? "SIGTERM" : undefined, ` of worker ${process.pid}`)
      await finishPromise
      worker.send({ left: true } satisfies WorkerReport)
    }
  })
  worker.send({ listening: app.addr, json: usesRecords() } satisfies WorkerReport)
}

/**
 * Stops an app when its running requests have finished. Prints a line at the beginning and one at the end.
 *
 * @param signal the signal that stops the program. With SIGTERM, it first waits for load balancers.
 * @param where a phrase that names the process, if there are several.
 * @returns the exit code.
 */
async function shutDown(
  app: App,
  jobs: BackgroundJobs | undefined,
  signal: "SIGINT" | "SIGTERM" | undefined,
  where = "",
): Promise<number> {
  jobs?.stopClaiming()
  writeMessage(
    "info",
    `Shutdown${where} begins${signal ? ` (${signal})` : ""}: ${formatOpenRequests(countOpenRequests())} open`,
    env,
  )
  try {
    await app.shutdown(undefined, {
      timeout: finishTimeoutSeconds,
      ...(signal !== "SIGTERM" && { drain: 0 }),
    })
    writeMessage("info", `Shutdown${where} ends: every request was answered`, env)
    return 0
  } catch (error) {
    if (error instanceof FwError) {
      // A function of app.onShutdown() has failed.
      writeError(formatBug(error), env)
      writeMessage(
        "warn",
        `shutdown${where} ends: every request was answered, and a function of app.onShutdown() failed`,
        env,
      )
    } else writeMessage("warn", `stopped after ${finishTimeoutSeconds} s ${describeUnfinished(error)}`, env)
    return 1
  }
}

function formatOpenRequests(requests: number): string {
  return requests === 1 ? "1 request is" : `${requests || "no"} requests are`
}

/** Returns this process as a worker; undefined if no supervisor has started it. */
async function findWorker(): Promise<Worker | undefined> {
  if (process.env[workerVariable] === undefined || detectRuntime() !== "Node") return undefined
  return (await import("node:cluster")).default.worker
}

/**
 * Removes the argument with the file that node:cluster passes to an executable. All other arguments belong to the
 * program.
 */
async function dropFileArgument(): Promise<void> {
  if (await isExecutable()) process.argv.splice(2, 1)
}

async function isExecutable(): Promise<boolean> {
  return (await import("node:sea")).isSea()
}

/** Returns the number of workers. @throws FwError `workers` for a text that is not one. */
async function parseWorkerCount(text: string): Promise<number> {
  if (!isWorkerCount(text)) throw startFault("workers", [text, maxWorkers])
  return text === "auto" ? (await import("node:os")).availableParallelism() : Number(text)
}

/** Returns what the user types to start this program: `./shop`, or `node dist/node/server.mjs`. */
function readCommandStart(): string {
  const { argv0, argv, execPath } = process
  const [, file = execPath] = argv
  if (file === execPath) return argv0
  const runtime = detectRuntime().toLowerCase()
  return `${runtime === "deno" ? "deno run -A" : runtime} ${relative(process.cwd(), file)}`
}

function detectRuntime(): "Bun" | "Deno" | "Node" {
  return "Bun" in globalThis ? "Bun" : "Deno" in globalThis ? "Deno" : "Node"
}

function exitWithError(error: unknown): void {
  writeLastError(error instanceof FwError ? formatStartError(error) : formatBug(error), env)
  process.exit(1)
}

/**
 * Returns an error as text for people. Its causes are included, because often only they have the message of the system
 * or of a library. Errors about addresses include it already.
 */
function formatStartError(error: FwError): string {
  const lines = [error.toString()]
  if ((error.cause as { syscall?: string } | undefined)?.syscall === "listen") return lines[0] as string
  for (let { cause } = error as Error; cause instanceof Error && lines.length < maxCauses; { cause } = cause)
    lines.push(`  caused by ${escapeControls(`${cause.name}: ${cause.message}`)}`)
  return lines.join("\n")
}

/**
 * Ends a running program after an uncaught error. If the program has its own listener for such errors, it decides
 * itself, as without fw.
 */
function exitIfUnhandled(error: unknown): void {
  if (process.listenerCount("uncaughtException") === 1) exitWithError(error)
}
