/**
 * The document of `app.openapi()` under `fw dev`: written again after every change, by a process that keeps
 * running.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { asksForDocument } from "../openapi/embed.ts"
import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { DocumentReport } from "./openapi-child.ts"

const program = fileURLToPath(new URL("./openapi-child.js", import.meta.url))
/** Time for a process to exit, in milliseconds: TypeScript answers one question at a time. */
const grace = 3000
/** After this many crashes in a row, it waits for the next change. */
const mostCrashes = 3

/** Makes the document if the app serves it. TypeScript's program stays open, so that updates are fast. */
export class OpenAPIFile {
  readonly #project: Project
  readonly #report: (problems: readonly Problem[]) => void
  #child: ChildProcess | undefined
  /** Number of updates that are not done yet. */
  #open = 0
  #crashes = 0
  #closed = false

  /**
   * Creates it.
   *
   * @param report receives the problems that kept the types from being read, also if there are none.
   */
  constructor(project: Project, report: (problems: readonly Problem[]) => void) {
    this.#project = project
    this.#report = report
  }

  /** Handles a change. */
  async update(): Promise<void> {
    if (!(await asksForDocument(this.#project.root)) || this.#closed) return
    this.#crashes = 0
    this.#ask()
  }

  /** Ends the process; resolves when it is gone, and TypeScript's too. */
  async close(): Promise<void> {
    this.#closed = true
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    if (child.connected) child.disconnect()
    const late = setTimeout(() => child.kill("SIGKILL"), grace)
    await ended
    clearTimeout(late)
  }

  #ask(): void {
    this.#child ??= this.#start()
    this.#open += 1
    this.#child.send({ appDir: this.#project.appDir }, () => {})
  }

  #start(): ChildProcess {
    const child = fork(program, [], {
      cwd: this.#project.root,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [],
    })
    child.on("message", (report: DocumentReport) => {
      this.#open -= 1
      this.#crashes = 0
      if (!this.#closed) this.#report(report.problems)
    })
    child.once("exit", () => this.#ended(child))
    child.once("error", () => this.#ended(child))
    return child
  }

  #ended(child: ChildProcess): void {
    if (this.#child !== child) return
    this.#child = undefined
    const wasAsked = this.#open > 0
    this.#open = 0
    this.#crashes += 1
    if (wasAsked && !this.#closed && this.#crashes < mostCrashes) this.#ask()
  }
}
