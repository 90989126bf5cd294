/** A server process of `fw dev`, from spare to its end. */
import { type ChildProcess, fork } from "node:child_process"
import type { ErrorData } from "../project/error-data.ts"
import type { Problem } from "../project/problems.ts"
import { programFlags, programPath } from "../system/package.ts"
import type { SentAnswer } from "../validators/answers/answers.ts"
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
import { Upstream } from "./proxy.ts"

/** Settings of every server process of a session. */
export interface ServerSettings {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  /** Receives the program's output. */
  readonly write: (stream: "stdout" | "stderr", text: string) => void
  /** Receives the bugs that requests find. */
  readonly onBug: (problem: Problem, over: BugPages) => void
  /** Returns the validators of the calls of a file. `known` is the version that the process has. */
  readonly onCalls: (file: string, known: number) => Promise<CallAnswer>
  /** Receives an answer of a route, and the server that sent it. */
  readonly onAnswer: (answer: SentAnswer, from: Upstream) => void
  /** Receives the warnings of the program that runs. */
  readonly onWarning: (problem: Problem) => void
  /** Width of the terminal that shows the output; undefined without one. */
  readonly columns: number | undefined
}

/** Result of a start. */
export type Started = { readonly staticDir: string } | { readonly error: ErrorData }

const program = programPath("bin/dev/child")

/** A process that serves one program, once. Its output is buffered until it has a program. */
export class ServerProcess {
  readonly target: Upstream
  /** The process's end; the reason, if it is known and the process was not stopped. */
  readonly ended: Promise<ErrorData>
  readonly #child: ChildProcess
  readonly #settings: ServerSettings
  #held: [stream: "stdout" | "stderr", text: string][] | null = []
  #failure: ErrorData | undefined
  #waits = false
  #onReport: ((report: Report) => void) | undefined
  #onInspectorClosed: () => void = () => {}
  readonly #inspectorClosed = new Promise<void>((resolve) => {
    this.#onInspectorClosed = resolve
  })

  constructor(settings: ServerSettings, socket: string) {
    this.#settings = settings
    this.target = new Upstream(socket)
    const { root, env, columns } = settings
    this.#child = fork(program, columns === undefined ? [] : [String(columns)], {
      cwd: root,
      env,
      execArgv: [...programFlags, "--enable-source-maps"],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    })
    for (const name of ["stdout", "stderr"] as const) {
      this.#child[name]?.setEncoding("utf8").on("data", (text: string) => this.#write(name, text))
    }
    this.#child.on("message", (message) => {
      if (isReport(message)) this.#take(message)
    })
    this.ended = this.#end()
  }

  /** Imports modules for the next program. Nothing waits for it: orders are executed one after the other. */
  warm(order: Omit<Order & { fw: "warm" }, "fw">): void {
    this.#order({ fw: "warm", ...order })
  }

  /** Serves a program; resolves when it does, or has failed. */
  start(files: ProgramFiles, parts: ProgramParts, addr: string): Promise<Started> {
    for (const [name, text] of this.#held ?? []) this.#settings.write(name, text)
    this.#held = null
    return new Promise((resolve) => {
      this.#onReport = (report) => {
        if (report.fw === "ready") resolve({ staticDir: report.staticDir })
        else if (report.fw === "failed") resolve({ error: report.error })
      }
      void this.ended.then((error) => resolve({ error }))
      this.#order({ fw: "start", files, parts, socket: this.target.socket, addr })
    })
  }

  /** Waits for running requests, at most until the signal aborts, and ends the process. */
  async stop(signal: AbortSignal): Promise<void> {
    const cut = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener("abort", () => resolve(), { once: true })
    })
    // Stopped only when no request is on its way to it, because a connection that it has not accepted yet
    // would be lost.
    await Promise.race([this.target.finish(), cut, this.ended])
    this.#order({ fw: "stop", grace: 1000 })
    const late = setTimeout(() => this.kill(), 2000)
    await this.ended
    clearTimeout(late)
  }

  /** Opens the debugger of the program. */
  openInspector(at: InspectAddress): void {
    this.#order({ fw: "inspect", at })
  }

  /** Closes the debugger of the program; resolves when its port is free. */
  async closeInspector(): Promise<void> {
    this.#order({ fw: "inspect", at: null })
    await Promise.race([this.#inspectorClosed, this.ended])
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill("SIGKILL")
  }

  /** Asks whether the modules of its program wait for something: a program that runs without a pause does not answer. */
  ask(): void {
    this.#order({ fw: "ask" })
  }

  /** True if it has said that they wait. */
  get waits(): boolean {
    return this.#waits
  }

  /** Id of the process, also after its end. */
  get pid(): number | undefined {
    return this.#child.pid
  }

  #order(order: Order): void {
    // A process that has just ended receives no orders; its end is reported elsewhere.
    if (this.#child.connected) this.#child.send(order, () => {})
  }

  #write(name: "stdout" | "stderr", text: string): void {
    if (this.#held) this.#held.push([name, text])
    else this.#settings.write(name, text)
  }

  #take(report: Report): void {
    if (report.fw === "failed") this.#failure = report.error
    if (report.fw === "waits") this.#waits = true
    if (report.fw === "closed") this.#onInspectorClosed()
    if (report.fw === "bug") this.#settings.onBug(report.problem, report.over)
    if (report.fw === "calls") void this.#answerCalls(report)
    if (report.fw === "answer") this.#settings.onAnswer(report.answer, this.target)
    if (report.fw === "warning") this.#settings.onWarning(report.problem)
    this.#onReport?.(report)
  }

  async #answerCalls({ id, file, known }: Report & { fw: "calls" }): Promise<void> {
    this.#order({ fw: "calls", id, answer: await this.#settings.onCalls(file, known) })
  }

  #end(): Promise<ErrorData> {
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
