/** A server process of `fw dev`, from spare to end. */
import { type ChildProcess, fork } from "node:child_process"
import type { JobResult } from "../../../adapters/jobs/program.ts"
import type { ErrorData } from "../../project/error-data.ts"
import type { Problem } from "../../project/problems.ts"
import { getProgramPath, programFlags } from "../../system/package.ts"
import type { SentAnswer } from "../../validators/answers/answers.ts"
import { Upstream } from "../pass-request.ts"
import type { TraceReport } from "../requests/trace.ts"
import type { InspectAddress } from "./inspector.ts"
import {
  type BugPages,
  type CallAnswer,
  isReport,
  type Order,
  type ProgramFiles,
  type ProgramParts,
  type Report,
} from "./messages.ts"

/** The settings of all server processes of a session. */
export interface ServerSettings {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  /** Receives the output of the program. */
  readonly write: (stream: "stdout" | "stderr", text: string) => void
  /** Receives the bugs that requests find. */
  readonly onBug: (problem: Problem, pages: BugPages, request?: number) => void
  /** Returns the validators for the calls in a file. `known` is the version that the process has. */
  readonly onCalls: (file: string, known: number) => Promise<CallAnswer>
  /** Receives an answer of a route, the server that sent it, and the number of its request. */
  readonly onAnswer: (answer: SentAnswer, from: Upstream, request?: number) => void
  /** Receives the operations of a request. */
  readonly onTrace: (trace: TraceReport) => void
  /** Receives the warnings of the running program. */
  readonly onWarning: (problem: Problem) => void
  /** Width of the terminal that shows the output; undefined without a terminal. */
  readonly columns: number | undefined
}

/** The result of starting a program. */
export type StartResult = { readonly staticDir: string } | { readonly error: ErrorData }

/** How long a program may take to answer a command, in milliseconds. */
const maxAnswerMs = 1000

const programFile = getProgramPath("bin/dev/server/child")

/** A process that serves a single program. Its output is held back until it has a program. */
export class ServerProcess {
  readonly target: Upstream
  /** Resolves when the process ends, with the reason if it is known and the process was not stopped. */
  readonly ended: Promise<ErrorData>
  readonly #child: ChildProcess
  readonly #settings: ServerSettings
  #heldOutput: [stream: "stdout" | "stderr", text: string][] | null = []
  #failure: ErrorData | undefined
  #onReport: ((report: Report) => void) | undefined
  #jobCommandCount = 0
  readonly #jobCallbacks = new Map<number, (result: JobResult | null) => void>()
  #onInspectorClosed: () => void = () => {}
  #onRetired: () => void = () => {}
  readonly #retired = new Promise<void>((resolve) => {
    this.#onRetired = resolve
  })
  readonly #inspectorClosed = new Promise<void>((resolve) => {
    this.#onInspectorClosed = resolve
  })

  constructor(settings: ServerSettings, socket: string) {
    this.#settings = settings
    this.target = new Upstream(socket)
    const { root, env, columns } = settings
    this.#child = fork(programFile, columns === undefined ? [] : [String(columns)], {
      cwd: root,
      env,
      execArgv: [...programFlags, "--enable-source-maps"],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    })
    for (const name of ["stdout", "stderr"] as const) {
      this.#child[name]?.setEncoding("utf8").on("data", (text: string) => this.#write(name, text))
    }
    this.#child.on("message", (message) => {
      if (isReport(message)) this.#handleReport(message)
    })
    this.ended = this.#waitForEnd()
  }

  /**
   * Lets the process import packages for the next program. Nothing waits for it, because orders are carried out one
   * after the other.
   */
  warmUp(order: Omit<Order & { fw: "warm" }, "fw">): void {
    this.#send({ fw: "warm", ...order })
  }

  /** Serves a program. Resolves when it is served or has failed. */
  start(files: ProgramFiles, parts: ProgramParts, addr: string): Promise<StartResult> {
    for (const [name, text] of this.#heldOutput ?? []) this.#settings.write(name, text)
    this.#heldOutput = null
    return new Promise((resolve) => {
      this.#onReport = (report) => {
        if (report.fw === "ready") resolve({ staticDir: report.staticDir })
        else if (report.fw === "failed") resolve({ error: report.error })
      }
      void this.ended.then((error) => resolve({ error }))
      this.#send({ fw: "start", files, parts, socket: this.target.socket, addr })
    })
  }

  /** Waits for running requests and jobs until the signal aborts, then ends the process. */
  async stop(signal: AbortSignal): Promise<void> {
    const whenAborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener("abort", () => resolve(), { once: true })
    })
    this.#send({ fw: "retire" })
    // Stops the process only when no request is on its way to it, because a connection that is not accepted yet
    // would be lost.
    await Promise.race([Promise.all([this.target.finish(), this.#retired]), whenAborted, this.ended])
    this.#send({ fw: "stop", grace: 1000 })
    const killTimer = setTimeout(() => this.kill(), 2000)
    await this.ended
    clearTimeout(killTimer)
  }

  /** Opens the debugger in the process. */
  openInspector(at: InspectAddress): void {
    this.#send({ fw: "inspect", at })
  }

  /** Closes the debugger in the process. Resolves when its port is free. */
  async closeInspector(): Promise<void> {
    this.#send({ fw: "inspect", at: null })
    await Promise.race([this.#inspectorClosed, this.ended])
  }

  /** Runs a command of `fw jobs` in the program. Returns null without jobs, and if the program is too busy to answer. */
  runJobCommand(args: readonly string[]): Promise<JobResult | null> {
    return new Promise((resolve) => {
      const id = ++this.#jobCommandCount
      this.#jobCallbacks.set(id, resolve)
      this.#send({ fw: "jobs", id, args })
      setTimeout(() => this.#endJobCommand(id, null), maxAnswerMs).unref()
    })
  }

  #endJobCommand(id: number, result: JobResult | null): void {
    this.#jobCallbacks.get(id)?.(result)
    this.#jobCallbacks.delete(id)
  }

  /** Kills the process. */
  kill(): void {
    this.#child.kill("SIGKILL")
  }

  /** The id of the process, which stays known after its end. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  #send(order: Order): void {
    // A process that has just ended cannot receive orders. Its end is reported elsewhere.
    if (this.#child.connected) this.#child.send(order, () => {})
  }

  #write(name: "stdout" | "stderr", text: string): void {
    if (this.#heldOutput) this.#heldOutput.push([name, text])
    else this.#settings.write(name, text)
  }

  #handleReport(report: Report): void {
    if (report.fw === "failed") this.#failure = report.error
    if (report.fw === "retired") this.#onRetired()
    if (report.fw === "closed") this.#onInspectorClosed()
    if (report.fw === "bug") this.#settings.onBug(report.problem, report.pages, report.request)
    if (report.fw === "calls") void this.#answerCalls(report)
    if (report.fw === "answer") this.#settings.onAnswer(report.answer, this.target, report.request)
    if (report.fw === "trace") this.#settings.onTrace(report.trace)
    if (report.fw === "jobs") this.#endJobCommand(report.id, report.result)
    if (report.fw === "warning") this.#settings.onWarning(report.problem)
    this.#onReport?.(report)
  }

  async #answerCalls({ id, file, known }: Report & { fw: "calls" }): Promise<void> {
    this.#send({ fw: "calls", id, answer: await this.#settings.onCalls(file, known) })
  }

  #waitForEnd(): Promise<ErrorData> {
    return new Promise((resolve) => {
      const end = (message: string) => resolve(this.#failure ?? { message, stack: "" })
      this.#child.once("error", (error) => end(`the server process could not be started: ${error.message}`))
      this.#child.once("exit", (code, signal) => {
        const message = `the server process ended ${signal ? `by ${signal}` : `with exit code ${code}`}`
        this.#child.once("close", () => end(message))
        // Child processes of the program may keep its output open.
        setTimeout(() => end(message), 300).unref()
      })
    })
  }
}
