/**
 * Starts the process that reads types for `fw dev`. TypeScript's program stays open in the process, so updates are
 * fast.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { getProgramPath, programFlags } from "../../system/package.ts"
import type { FactsAnswers, FactsOrder, FactsReply } from "./facts-child.ts"

const programFile = getProgramPath("bin/dev/types/facts-child")
/** How long the process may take to exit, in milliseconds. It answers a running question first. */
const graceMs = 3000
/** A question that has ended the process this many times is not asked again. */
const maxCrashes = 3
/** The time without questions after which the process ends, in milliseconds. TypeScript needs much memory. */
const maxIdleMs = 60_000

interface Question {
  readonly order: FactsOrder
  readonly resolve: (answer: never) => void
  readonly reject: (error: Error) => void
  crashes: number
}

/** Sends questions to the process. The first question starts it. */
export class FactsProcess {
  readonly #root: string
  readonly #appDir: string
  readonly #idleMs: number
  readonly #questions = new Map<number, Question>()
  #child: ChildProcess | undefined
  #questionCount = 0
  #isClosed = false

  /**
   * Creates the connection to the process.
   *
   * @param idleMs the time without a question after which the process ends, in milliseconds.
   */
  constructor({ root, appDir }: { readonly root: string; readonly appDir: string }, idleMs = maxIdleMs) {
    this.#root = root
    this.#appDir = appDir
    this.#idleMs = idleMs
  }

  /** Id of the process; undefined while it is not running. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * Asks a question about the current files. Rejects if the question has ended the process {@link maxCrashes} times.
   */
  ask<Kind extends keyof FactsAnswers>(
    kind: Kind,
    details: Pick<FactsOrder, "file" | "isOld" | "answer"> = {},
  ): Promise<FactsAnswers[Kind]> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new Error("fw dev ends"))
      const order = { id: ++this.#questionCount, kind, appDir: this.#appDir, ...details }
      this.#questions.set(order.id, { order, resolve, reject, crashes: 0 })
      this.#send(order)
    })
  }

  /** Ends the process. Resolves when it and TypeScript's process have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    const child = this.#child
    for (const { reject } of this.#questions.values()) reject(new Error("fw dev ends"))
    this.#questions.clear()
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, "exit")
    if (child.connected) child.disconnect()
    const killTimer = setTimeout(() => child.kill("SIGKILL"), graceMs)
    await exit
    clearTimeout(killTimer)
  }

  #send(order: FactsOrder): void {
    this.#child ??= this.#start()
    // If the process has just ended, the next one gets the question.
    this.#child.send(order, () => {})
  }

  #start(): ChildProcess {
    const child = fork(programFile, [String(this.#idleMs)], {
      cwd: this.#root,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [...programFlags],
    })
    child.on("message", ({ id, answer }: FactsReply) => {
      this.#questions.get(id)?.resolve(answer as never)
      this.#questions.delete(id)
    })
    child.once("exit", () => this.#handleEnd(child))
    child.once("error", () => this.#handleEnd(child))
    return child
  }

  #handleEnd(child: ChildProcess): void {
    if (this.#child !== child) return
    this.#child = undefined
    if (this.#isClosed) return
    for (const question of [...this.#questions.values()]) {
      question.crashes += 1
      if (question.crashes < maxCrashes) this.#send(question.order)
      else {
        this.#questions.delete(question.order.id)
        question.reject(new Error("the process that reads the types ended"))
      }
    }
  }
}
