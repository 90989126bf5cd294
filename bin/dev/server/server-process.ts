/** A server process of `fw dev`, from its time as a spare to its end. */
import { type ChildProcess, fork } from "node:child_process"
import type { ErrorData } from "../../project/error-data.ts"
import type { Problem } from "../../project/problems.ts"
import { programFlags, programPath } from "../../system/package.ts"
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

/** Settings of every server process of a session. */
export interface ServerSettings {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  /** Receives the program's output. */
  readonly write: (stream: "stdout" | "stderr", text: string) => void
  /** Receives the bugs that requests find. */
  readonly onBug: (problem: Problem, over: BugPages, request?: number) => void
  /** Returns the validators of the calls of a file. `known` is the version that the process has. */
  readonly onCalls: (file: string, known: number) => Promise<CallAnswer>
  /** Receives an answer of a route, the server that sent it, and the number of its request. */
  readonly onAnswer: (answer: SentAnswer, from: Upstream, request?: number) => void
  /** Receives what the program does for a request. */
  readonly onTrace: (trace: TraceReport) => void
  /** Receives the warnings of the program that runs. */
  readonly onWarning: (problem: Problem) => void
  /** Width of the terminal that shows the output; undefined without one. */
  readonly columns: number | undefined
}

/** Result of a start. */
export type StartResult = { readonly staticDir: string } | { readonly error: ErrorData }

const programFile = programPath("bin/dev/server/child")

/** A process that serves one program, once. Its output is buffered until it has a program. */
export class ServerProcess {
  readonly target: Upstream
  /** Resolves when the process ends. The value has the reason, if it is known and the process was not stopped. */
  readonly ended: Promise<ErrorData>
  readonly #child: ChildProcess
  readonly #settings: ServerSettings
  #heldOutput: [stream: "stdout" | "stderr", text: string][] | null = []
  #failure: ErrorData | undefined
  #isWaiting = false
  #onReport: ((report: Report) => void) | undefined
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

  /** Imports modules for the next program. Nothing waits for it: orders are executed one after the other. */
  warmUp(order: Omit<Order & { fw: "warm" }, "fw">): void {
    this.#send({ fw: "warm", ...order })
  }

  /** Serves a program; resolves when the program is being served or has failed. */
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

  /** Waits for running requests and jobs, at most until the signal aborts, and ends the process. */
  async stop(signal: AbortSignal): Promise<void> {
    const whenAborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener("abort", () => resolve(), { once: true })
    })
    this.#send({ fw: "retire" })
    // The process is stopped only when no request is on its way to it, because a connection that it has not accepted
    // yet would be lost.
    await Promise.race([Promise.all([this.target.finish(), this.#retired]), whenAborted, this.ended])
    this.#send({ fw: "stop", grace: 1000 })
    const killTimer = setTimeout(() => this.kill(), 2000)
    await this.ended
    clearTimeout(killTimer)
  }

  /** Opens the debugger of the program. */
  openInspector(at: InspectAddress): void {
    this.#send({ fw: "inspect", at })
  }

  /** Closes the debugger of the program; resolves when its port is free. */
  async closeInspector(): Promise<void> {
    this.#send({ fw: "inspect", at: null })
    await Promise.race([this.#inspectorClosed, this.ended])
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill("SIGKILL")
  }

  /** Asks whether the modules of its program wait for something: a program that runs without a pause does not answer. */
  askIfWaiting(): void {
    this.#send({ fw: "ask" })
  }

  /** True if the process has reported that they wait. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** The id of the process. It stays known after the process has ended. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  #send(order: Order): void {
    // A process that has just ended receives no orders; its end is reported elsewhere.
    if (this.#child.connected) this.#child.send(order, () => {})
  }

  #write(name: "stdout" | "stderr", text: string): void {
    if (this.#heldOutput) this.#heldOutput.push([name, text])
    else this.#settings.write(name, text)
  }

  #handleReport(report: Report): void {
    if (report.fw === "failed") this.#failure = report.error
    if (report.fw === "waits") this.#isWaiting = true
    if (report.fw === "retired") this.#onRetired()
    if (report.fw === "closed") this.#onInspectorClosed()
    if (report.fw === "bug") this.#settings.onBug(report.problem, report.over, report.request)
    if (report.fw === "calls") void this.#answerCalls(report)
    if (report.fw === "answer") this.#settings.onAnswer(report.answer, this.target, report.request)
    if (report.fw === "trace") this.#settings.onTrace(report.trace)
    if (report.fw === "warning") this.#settings.onWarning(report.problem)
    this.#onReport?.(report)
  }

  async #answerCalls({ id, file, known }: Report & { fw: "calls" }): Promise<void> {
    this.#send({ fw: "calls", id, answer: await this.#settings.onCalls(file, known) })
  }

  #waitForEnd(): Promise<ErrorData> {
    return new Promise((resolve) => {
      const done = (how: string) => resolve(this.#failure ?? { message: how, stack: "" })
      this.#child.once("error", (error) => done(`the server process could not be started: ${error.message}`))
      this.#child.once("exit", (code, signal) => {
        const how = `the server process ended ${signal ? `by ${signal}` : `with exit code ${code}`}`
        this.#child.once("close", () => done(how))
        // Its own child processes may keep its output open.
        setTimeout(() => done(how), 300).unref()
      })
    })
  }
}
