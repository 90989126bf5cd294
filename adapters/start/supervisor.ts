/** The process that starts the workers of a program, replaces those that end, and stops them. It runs no request. */

import type { Cluster, Worker } from "node:cluster"
import { statSync } from "node:fs"
import { workerVariable } from "../../lib/store/workers.ts"

/**
 * A message to a worker. `drain` and `finish`: end when the running requests are finished, with or without a delay for
 * load balancers. `exit` answers {@link Report.left}.
 */
export type Order = "drain" | "finish" | "exit"

/** A message of a worker. */
export interface Report {
  /** The worker listens at this address. */
  readonly listening?: string
  /**
   * The worker takes no more connections and has finished. It exits after the answer: a connection that was on its way
   * has arrived before the answer, and the worker has sent it back. Without this it would be lost.
   */
  readonly left?: true
}

/** The parts of the process that a supervisor uses. */
export interface Supervision {
  readonly cluster: Cluster
  /** Number of workers. */
  readonly count: number
  /** The file that the workers run. When another file takes its place, the workers are replaced. */
  readonly file: string
}

/** Delay before a crashed worker is replaced, in milliseconds. It doubles with every crash. */
const shortest = 100
const longest = 30_000
/** A worker that ran for this long was sound, so the next delay is the shortest again. */
const soundAfter = 60_000
/** Interval between looks at the file, in milliseconds. */
const lookEvery = 1000

/** Supervises workers until a signal stops the process. Does not return. */
export async function supervise(supervision: Supervision): Promise<never> {
  return new Supervisor(supervision).run()
}

class Supervisor {
  readonly #cluster: Cluster
  readonly #count: number
  readonly #file: string
  /** Workers whose processes run. */
  readonly #running = new Set<Worker>()
  /** Workers that serve. */
  readonly #serving = new Set<Worker>()
  /** Workers that finish their last requests. */
  readonly #leaving = new Set<Worker>()
  readonly #timers = new Set<NodeJS.Timeout>()
  /** State of the file that the workers run. */
  #seen: string | undefined
  #looks: NodeJS.Timeout | undefined
  #crashes = 0
  #stopping = false
  /** True also while the first workers start. */
  #replacing = true
  #replaceAgain = false

  constructor({ cluster, count, file }: Supervision) {
    this.#cluster = cluster
    this.#count = count
    this.#file = file
    this.#seen = stateOf(file)
  }

  async run(): Promise<never> {
    // The supervisor accepts connections and hands each to the next worker. One that a worker no longer takes goes to
    // another, so that none is lost while workers are replaced.
    this.#cluster.schedulingPolicy = this.#cluster.SCHED_RR
    this.#cluster.setupPrimary({ exec: this.#file, args: process.argv.slice(2) })
    process.on("SIGINT", () => this.#stop("finish"))
    process.on("SIGTERM", () => this.#stop("drain"))
    process.on("SIGHUP", () => void this.#replace())
    // The first one reports what is wrong with the program, and the others do not repeat it.
    const address = await this.#start()
    if (address === null) process.exit(1)
    await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#startOrRetry()))
    this.#replacing = false
    if (this.#replaceAgain) void this.#replace()
    this.#watch()
    console.log(`Listening on ${address}`)
    console.log(`${this.#count} workers`)
    return new Promise<never>(() => {})
  }

  /** Starts a worker. Resolves to its address when it listens, or to null if it ended before. */
  #start(): Promise<string | null> {
    const worker = this.#cluster.fork({ [workerVariable]: `${this.#count}` })
    const started = performance.now()
    this.#running.add(worker)
    return new Promise((resolve) => {
      worker.on("message", ({ listening, left }: Report) => {
        if (left) this.#tell(worker, "exit")
        if (listening === undefined) return
        this.#serving.add(worker)
        if (this.#stopping) this.#tell(worker, "finish")
        resolve(listening)
      })
      worker.once("exit", (code, signal) => {
        const isCrash = this.#serving.delete(worker)
        this.#leaving.delete(worker)
        this.#running.delete(worker)
        if (isCrash && !this.#stopping) this.#restart(worker, signal ?? code, performance.now() - started)
        this.#endIfLast(code)
        resolve(null)
      })
    })
  }

  /** Replaces a worker that has crashed, after a delay. */
  #restart(worker: Worker, end: string | number, ran: number): void {
    if (ran >= soundAfter) this.#crashes = 0
    const delay = this.#nextDelay()
    say(`worker ${worker.process.pid} ended with ${end}. Another one starts in ${delay / 1000} s`)
    this.#later(delay)
  }

  #later(delay: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (this.#serving.size < this.#count && !this.#stopping) void this.#startOrRetry()
    }, delay)
    this.#timers.add(timer)
  }

  /** Starts a worker, and another one after a delay if it ends before it listens. */
  async #startOrRetry(): Promise<void> {
    if ((await this.#start()) !== null || this.#stopping) return
    const delay = this.#nextDelay()
    say(`a worker ended before it listened. Another one starts in ${delay / 1000} s`)
    this.#later(delay)
  }

  #nextDelay(): number {
    const delay = Math.min(longest, shortest * 2 ** this.#crashes)
    this.#crashes += 1
    return delay
  }

  /** Replaces the workers one by one. Each new one listens before its predecessor leaves. */
  async #replace(): Promise<void> {
    if (this.#replacing) {
      this.#replaceAgain = true
      return
    }
    this.#replacing = true
    do {
      this.#replaceAgain = false
      await this.#replaceAll()
    } while (this.#replaceAgain && !this.#stopping)
    this.#replacing = false
  }

  async #replaceAll(): Promise<void> {
    const before = [...this.#serving]
    for (const old of before) {
      const address = await this.#start()
      if (this.#stopping) return
      if (address === null) {
        say(
          "the new worker ended before it listened, so the workers that serve stay. Send SIGHUP to try again",
        )
        return
      }
      if (!this.#serving.delete(old)) continue
      this.#leaving.add(old)
      this.#tell(old, "finish")
    }
    say(`${before.length} workers were replaced`)
  }

  /**
   * Replaces the workers when another file is in the place of the program, also if it came while the workers started:
   * they may have read the one before. `fs.watchFile()` would miss that, and whatever comes before its own first look.
   */
  #watch(): void {
    let settled: NodeJS.Timeout | undefined
    this.#looks = setInterval(() => {
      const now = stateOf(this.#file)
      if (now === this.#seen) return
      this.#seen = now
      clearTimeout(settled)
      // It was removed, and its successor is not there yet. A file may still grow, so the wait begins again with each change.
      if (now !== undefined && !this.#stopping)
        settled = setTimeout(() => void this.#replace(), 2 * lookEvery).unref()
    }, lookEvery).unref()
  }

  /** Stops all workers. The second time it ends them at once. */
  #stop(order: Order): void {
    if (this.#stopping) for (const worker of this.#running) worker.process.kill("SIGKILL")
    this.#stopping = true
    for (const timer of this.#timers) clearTimeout(timer)
    clearInterval(this.#looks)
    for (const worker of [...this.#serving, ...this.#leaving]) this.#tell(worker, order)
    this.#endIfLast(0)
  }

  #tell(worker: Worker, order: Order): void {
    if (worker.isConnected()) worker.send({ order })
  }

  /** Ends the process if it stops and the last worker has ended. */
  #endIfLast(code: number | null): void {
    if (!this.#stopping) return
    if (code !== 0) process.exitCode = 1
    if (this.#running.size === 0) process.exit()
  }
}

/** Returns a text that differs when another file is in the place of this one; undefined if there is none. */
function stateOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.mtimeMs} ${stats.size}`
}

function say(text: string): void {
  console.error(`fw: ${text}`)
}
