/** The process that starts the workers of a program, replaces those that end, and stops them. It runs no request. */

import type { Cluster, Worker } from "node:cluster"
import { announce, useJSON } from "../../lib/log/process-log.ts"
import { workerVariable } from "../../lib/store/workers.ts"
import { env } from "../disk/env.ts"
import { LastConnections } from "./last-connections.ts"
import type { Order, Report } from "./messages.ts"
import { ProgramFile } from "./program-file.ts"

/** The parts of the process that a supervisor uses. */
export interface Supervision {
  readonly cluster: Cluster
  /** Number of workers. */
  readonly count: number
  /** The file that the workers run. When another file takes its place, the workers are replaced. */
  readonly file: string
  /** Time in which a worker ends by itself, in milliseconds. One that hangs is killed after it. */
  readonly patience: number
}

/** Delay before a crashed worker is replaced, in milliseconds. It doubles with every crash. */
const shortest = 100
const longest = 30_000
/** A worker that ran for this long was sound, so the next delay is the shortest again. */
const soundAfter = 60_000

/** Supervises workers until a signal stops the process. Does not return. */
export async function supervise(supervision: Supervision): Promise<never> {
  return new Supervisor(supervision).run()
}

class Supervisor {
  readonly #cluster: Cluster
  readonly #count: number
  readonly #file: ProgramFile
  readonly #patience: number
  /** Workers that do not listen yet, and the functions to call with their addresses. */
  readonly #starting = new Map<Worker, (address: string | null) => void>()
  /** Workers that serve, the oldest first. */
  readonly #serving = new Set<Worker>()
  /** Workers that have to end. */
  readonly #leaving = new Set<Worker>()
  readonly #lastConnections = new LastConnections((worker, order) => this.#tell(worker, order))
  /** When workers are killed that do not end. */
  readonly #limits = new Map<Worker, NodeJS.Timeout>()
  /** Delays before crashed workers are replaced. */
  readonly #timers = new Set<NodeJS.Timeout>()
  #crashes = 0
  /** The number of signals that have stopped the program. */
  #stops = 0
  /** True also while the first workers start. */
  #replacing = true
  #replaceAgain = false

  constructor({ cluster, count, file, patience }: Supervision) {
    this.#cluster = cluster
    this.#count = count
    this.#file = new ProgramFile(file)
    this.#patience = patience
  }

  async run(): Promise<never> {
    // The supervisor accepts connections and hands each to the next worker. One that a worker no longer takes goes to
    // another, so that none is lost while workers are replaced.
    this.#cluster.schedulingPolicy = this.#cluster.SCHED_RR
    this.#cluster.setupPrimary({ exec: this.#file.path, args: process.argv.slice(2) })
    process.on("SIGINT", () => this.#stop("finish"))
    process.on("SIGTERM", () => this.#stop("drain"))
    process.on("SIGHUP", () => void this.#replace())
    // The first one reports what is wrong with the program, and the others do not repeat it.
    const address = await this.#startFirst()
    await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#startOrRetry()))
    this.#replacing = false
    if (this.#replaceAgain) void this.#replace()
    this.#file.watch(() => void this.#replace())
    if (this.#stops === 0) {
      announce("info", `Listening on ${address}`, env)
      announce("info", counted(this.#count), env)
    }
    return new Promise<never>(() => {})
  }

  /** Starts the first worker, another one if a signal asks for it before the first listens. */
  async #startFirst(): Promise<string | null> {
    for (;;) {
      this.#replaceAgain = false
      const address = await this.#start()
      if (address !== null || this.#stops > 0) return address
      if (!this.#replaceAgain) process.exit(1)
    }
  }

  /** Starts a worker. Resolves to its address when it listens, or to null if it does not come to that. */
  #start(): Promise<string | null> {
    const worker = this.#stops === 0 ? this.#fork() : null
    if (!worker) return Promise.resolve(null)
    const started = performance.now()
    worker.on("message", (message: Report | null) => {
      // The program may send messages of its own.
      const report = message ?? {}
      const { listening, json, left } = report
      if (json) useJSON((text) => env.out.write(text), Date.now)
      if (listening !== undefined) this.#take(worker, listening)
      if (left) this.#release(worker)
      this.#lastConnections.read(worker, report)
      this.#letAnswer()
    })
    worker.once("exit", (code, signal) => this.#lose(worker, signal ?? code, performance.now() - started))
    worker.on("error", (error) => {
      // If it has a process, an order did not arrive, and its end is reported too.
      if (worker.process.pid !== undefined) return
      say(`a worker cannot be started: ${error.message}`)
      this.#lose(worker, error.message, 0)
    })
    return new Promise((resolve) => this.#starting.set(worker, resolve))
  }

  /** Starts the process of a worker. Returns null for a file that the system cannot run. */
  #fork(): Worker | null {
    try {
      return this.#cluster.fork({ [workerVariable]: `${this.#count}` })
    } catch (error) {
      say(`a worker cannot be started: ${(error as Error).message}`)
      return null
    }
  }

  /** Lets a worker serve that listens now. If there are too many, the oldest leaves. */
  #take(worker: Worker, address: string): void {
    const resolve = this.#starting.get(worker)
    this.#starting.delete(worker)
    // It had to end before it could read orders.
    if (!resolve) {
      this.#tell(worker, "finish")
      return
    }
    this.#serving.add(worker)
    const [oldest] = this.#serving
    if (oldest && this.#serving.size > this.#count) {
      this.#serving.delete(oldest)
      this.#leaving.add(oldest)
      this.#tell(oldest, "finish")
      this.#limit(oldest)
    }
    resolve(address)
  }

  /** Lets workers answer that take no more connections: one that is replaced at any time, all at once when the program ends. */
  #letAnswer(): void {
    this.#lastConnections.releaseUnless(this.#stops === 0 ? [] : this.#serving)
  }

  /** Lets a worker exit that has finished. */
  #release(worker: Worker): void {
    this.#tell(worker, "exit")
    // Only the program knows how long its workers wait for load balancers. All wait for the same time, and now it is over.
    if (this.#stops > 0) for (const other of this.#serving) this.#limit(other)
  }

  /** Ends a worker that does not listen yet. */
  #dismiss(worker: Worker, resolve: (address: null) => void): void {
    this.#starting.delete(worker)
    this.#leaving.add(worker)
    worker.process.kill()
    this.#limit(worker)
    resolve(null)
  }

  /** Kills a worker that does not end by itself. */
  #limit(worker: Worker): void {
    if (this.#limits.has(worker)) return
    const kill = () => {
      say(`worker ${worker.process.pid} hangs, so it is killed`)
      worker.process.kill("SIGKILL")
    }
    this.#limits.set(worker, setTimeout(kill, this.#patience))
  }

  /** Notices the end of a worker. One that has crashed is replaced, except when the program stops. */
  #lose(worker: Worker, end: string | number, ran: number): void {
    const resolve = this.#starting.get(worker)
    const isCrash = this.#serving.delete(worker)
    this.#starting.delete(worker)
    this.#leaving.delete(worker)
    clearTimeout(this.#limits.get(worker))
    this.#limits.delete(worker)
    this.#lastConnections.delete(worker)
    this.#letAnswer()
    const seen = `worker ${worker.process.pid} ended with ${end}`
    if (isCrash && this.#stops === 0) {
      if (ran >= soundAfter) this.#crashes = 0
      const delay = this.#nextDelay()
      say(`${seen}. Another one starts in ${delay / 1000} s`)
      this.#later(delay)
    } else if (isCrash && this.#stops === 1 && typeof end === "string") say(seen)
    this.#endIfLast(end)
    resolve?.(null)
  }

  #later(delay: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (this.#missing > 0) void this.#startOrRetry()
    }, delay)
    this.#timers.add(timer)
  }

  /** The number of workers that have to be started. */
  get #missing(): number {
    return this.#stops > 0 ? 0 : this.#count - this.#serving.size - this.#starting.size
  }

  /** Starts a worker, and another one after a delay if it ends before it listens. */
  async #startOrRetry(): Promise<void> {
    if ((await this.#start()) !== null || this.#missing <= 0) return
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
    if (this.#stops > 0) return
    this.#replaceAgain = true
    // What starts may hang, or be of the file before.
    for (const [worker, resolve] of this.#starting) this.#dismiss(worker, resolve)
    if (this.#replacing) return
    this.#replacing = true
    while (this.#replaceAgain && this.#stops === 0) {
      this.#replaceAgain = false
      await this.#replaceAll()
    }
    this.#replacing = false
    // Some may have crashed meanwhile.
    for (let missing = this.#missing; missing > 0; missing -= 1) void this.#startOrRetry()
  }

  async #replaceAll(): Promise<void> {
    const old = new Set(this.#serving)
    say(`replacing ${counted(old.size)}`)
    // More starts than workers, because new ones may crash. But no more than twice as many.
    for (let starts = 2 * this.#count; starts > 0; starts -= 1) {
      const address = await this.#start()
      if (this.#stops > 0 || this.#replaceAgain) return
      if (address === null)
        return say(
          "the new worker ended before it listened, so the workers that serve stay. Send SIGHUP to try again",
        )
      if (this.#missing <= 0 && ![...this.#serving].some((worker) => old.has(worker)))
        return say(`${counted(this.#count)} ${this.#count === 1 ? "was" : "were"} replaced`)
    }
    say("the new workers crash, so the workers that serve stay. Send SIGHUP to try again")
  }

  /** Stops all workers. The second time it ends them at once. */
  #stop(order: "drain" | "finish"): void {
    this.#stops += 1
    for (const timer of this.#timers) clearTimeout(timer)
    this.#file.unwatch()
    for (const [worker, resolve] of this.#starting) this.#dismiss(worker, resolve)
    for (const worker of this.#serving) {
      this.#tell(worker, order)
      if (order === "finish") this.#limit(worker)
    }
    if (this.#stops > 1)
      for (const worker of [...this.#serving, ...this.#leaving]) worker.process.kill("SIGKILL")
    this.#endIfLast(0)
  }

  #tell(worker: Worker, order: Order): void {
    if (worker.isConnected()) worker.send({ order })
  }

  /** Ends the process if it stops and the last worker has ended. */
  #endIfLast(end: string | number): void {
    if (this.#stops === 0) return
    // A worker that did not listen yet ends by a signal.
    if (![0, "SIGINT", "SIGTERM"].includes(end)) process.exitCode = 1
    if (this.#serving.size + this.#leaving.size + this.#starting.size === 0) process.exit()
  }
}

function counted(workers: number): string {
  return workers === 1 ? "1 worker" : `${workers} workers`
}

function say(text: string): void {
  announce("warn", text, env)
}
