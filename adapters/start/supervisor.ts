/**
 * The supervisor of a program: the process that starts its workers, replaces those that end, and stops them. It answers
 * no requests.
 */

import type { Cluster, Worker } from "node:cluster"
import { useJSON, writeMessage } from "../../lib/log/process-log.ts"
import { workerVariable } from "../../lib/store/worker-count.ts"
import { env } from "../disk/env.ts"
import type { AllWorkers } from "../metrics/all-workers.ts"
import { LastConnections } from "./last-connections.ts"
import type { WorkerOrder, WorkerReport } from "./messages.ts"
import { ProgramFile } from "./program-file.ts"

/** The settings of a supervisor. */
export interface SupervisorOptions {
  readonly cluster: Cluster
  /** The number of workers. */
  readonly count: number
  /** The file that the workers run. When another file takes its place, the workers are replaced. */
  readonly file: string
  /** Milliseconds that a worker has to end by itself. After that it is killed. */
  readonly killAfterMs: number
  /** The address at which the metrics of all workers are served; undefined for none. */
  readonly metricsPort?: string | undefined
}

/** The first delay before a crashed worker is replaced. It doubles with every crash, up to `maxDelayMs`. */
const minDelayMs = 100
const maxDelayMs = 30_000
/**
 * A worker that ran for this long before it crashed does not count as broken, so the delay begins again with the
 * shortest.
 */
const stableAfterMs = 60_000

/** Runs the workers until a signal stops the program. Never resolves. */
export async function supervise(supervision: SupervisorOptions): Promise<never> {
  return new Supervisor(supervision).run()
}

class Supervisor {
  readonly #cluster: Cluster
  readonly #count: number
  readonly #file: ProgramFile
  readonly #killAfterMs: number
  readonly #metricsPort: string | undefined
  /** Collects the metrics of the workers. Loaded when a worker sends metrics. */
  #metrics: Promise<AllWorkers<Worker>> | undefined
  /** Workers that do not listen yet, with the functions that take their addresses. */
  readonly #startingWorkers = new Map<Worker, (address: string | null) => void>()
  /** Workers that answer requests, the oldest first. */
  readonly #servingWorkers = new Set<Worker>()
  /** Workers that were asked to end. */
  readonly #leavingWorkers = new Set<Worker>()
  readonly #lastConnections = new LastConnections((worker, order) => this.#sendOrder(worker, order))
  /** Timers that kill workers if they do not end. */
  readonly #killTimers = new Map<Worker, NodeJS.Timeout>()
  /** Timers that replace crashed workers. */
  readonly #restartTimers = new Set<NodeJS.Timeout>()
  #crashCount = 0
  /** Number of signals to stop that have arrived. */
  #stopSignalCount = 0
  /** True while workers are replaced, and while the first workers start. */
  #isReplacing = true
  #mustReplaceAgain = false

  constructor({ cluster, count, file, killAfterMs, metricsPort }: SupervisorOptions) {
    this.#cluster = cluster
    this.#count = count
    this.#file = new ProgramFile(file)
    this.#killAfterMs = killAfterMs
    this.#metricsPort = metricsPort
  }

  async run(): Promise<never> {
    // The supervisor accepts connections and passes each to the next worker. If a worker does not take one any more, it
    // goes to another worker. So no connection is lost while workers are replaced.
    this.#cluster.schedulingPolicy = this.#cluster.SCHED_RR
    this.#cluster.setupPrimary({ exec: this.#file.path, args: process.argv.slice(2) })
    if (this.#metricsPort) {
      const { listenForScrapes } = await import("../metrics/port.ts")
      await listenForScrapes(this.#metricsPort, async () => (await this.#loadMetrics()).collect())
    }
    process.on("SIGINT", () => this.#stop("finish"))
    process.on("SIGTERM", () => this.#stop("drain"))
    process.on("SIGHUP", () => void this.#replace())
    // The first worker starts alone. If something is wrong with the program, the other workers do not report it again.
    const address = await this.#startFirst()
    await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#startOrRetry()))
    this.#isReplacing = false
    if (this.#mustReplaceAgain) void this.#replace()
    this.#file.watch(() => void this.#replace())
    if (this.#stopSignalCount === 0) {
      writeMessage("info", `Listening on ${address}`, env)
      writeMessage("info", formatWorkerCount(this.#count), env)
    }
    return new Promise<never>(() => {})
  }

  /** Starts the first worker. If a signal to replace the workers comes before it listens, starts another one. */
  async #startFirst(): Promise<string | null> {
    for (;;) {
      this.#mustReplaceAgain = false
      const address = await this.#start()
      if (address !== null || this.#stopSignalCount > 0) return address
      if (!this.#mustReplaceAgain) process.exit(1)
    }
  }

  /** Starts a worker. Resolves with its address when it listens, and with null if it ends before. */
  #start(): Promise<string | null> {
    const worker = this.#stopSignalCount === 0 ? this.#fork() : null
    if (!worker) return Promise.resolve(null)
    const startTime = performance.now()
    worker.on("message", (message: WorkerReport | null) => {
      // The message may be one of the program's own.
      const report = message ?? {}
      const { listening, json, left, metrics, wantsMetrics } = report
      if (json) useJSON(env)
      if (listening !== undefined) this.#addServing(worker, listening)
      if (left) this.#letExit(worker)
      if (metrics) void this.#loadMetrics().then((all) => all.receive(worker, metrics))
      if (wantsMetrics) void this.#sendMetrics(worker)
      this.#lastConnections.readReport(worker, report)
      this.#releaseHeldResponses()
    })
    worker.once("exit", (code, signal) => this.#handleExit(worker, signal ?? code, performance.now() - startTime))
    worker.on("error", (error) => {
      // The worker has a process, so only a message could not be sent. The end of the process is reported separately.
      if (worker.process.pid !== undefined) return
      warn(`a worker cannot be started: ${error.message}`)
      this.#handleExit(worker, error.message, 0)
    })
    return new Promise((resolve) => this.#startingWorkers.set(worker, resolve))
  }

  /** Loads the code for metrics, which most programs do not need. */
  #loadMetrics(): Promise<AllWorkers<Worker>> {
    this.#metrics ??= import("../metrics/all-workers.ts").then(
      ({ AllWorkers }) => new AllWorkers((worker) => this.#sendOrder(worker, "metrics")),
    )
    return this.#metrics
  }

  async #sendMetrics(worker: Worker): Promise<void> {
    const allMetrics = await (await this.#loadMetrics()).collect()
    if (worker.isConnected()) worker.send({ allMetrics })
  }

  /** Starts the process of a worker. Returns null if the system cannot run the file. */
  #fork(): Worker | null {
    try {
      return this.#cluster.fork({ [workerVariable]: `${this.#count}` })
    } catch (error) {
      warn(`a worker cannot be started: ${(error as Error).message}`)
      return null
    }
  }

  /** Adds a worker that listens now. If there are too many workers, the oldest one is asked to end. */
  #addServing(worker: Worker, address: string): void {
    const resolve = this.#startingWorkers.get(worker)
    this.#startingWorkers.delete(worker)
    // If the worker is not starting any more, it was asked to end before it could receive messages.
    if (!resolve) {
      this.#sendOrder(worker, "finish")
      return
    }
    this.#servingWorkers.add(worker)
    const [oldest] = this.#servingWorkers
    if (oldest && this.#servingWorkers.size > this.#count) {
      this.#servingWorkers.delete(oldest)
      this.#leavingWorkers.add(oldest)
      this.#sendOrder(oldest, "finish")
      this.#killLater(oldest)
    }
    resolve(address)
  }

  /**
   * Lets workers that accept no more connections send the answers that they hold back. A worker that is replaced can
   * send them at any time. If the program ends, all workers send them at the same time.
   */
  #releaseHeldResponses(): void {
    this.#lastConnections.releaseUnless(this.#stopSignalCount === 0 ? [] : this.#servingWorkers)
  }

  /** Lets a worker exit that has finished. */
  #letExit(worker: Worker): void {
    this.#sendOrder(worker, "exit")
    // Only the workers know how long to wait for load balancers. All wait for the same time, so it is over for all of
    // them now.
    if (this.#stopSignalCount > 0) for (const other of this.#servingWorkers) this.#killLater(other)
  }

  /** Ends a worker that does not listen yet. */
  #dismiss(worker: Worker, resolve: (address: null) => void): void {
    this.#startingWorkers.delete(worker)
    this.#leavingWorkers.add(worker)
    worker.process.kill()
    this.#killLater(worker)
    resolve(null)
  }

  /** Kills a worker after some time if it does not end by itself. */
  #killLater(worker: Worker): void {
    if (this.#killTimers.has(worker)) return
    const kill = () => {
      warn(`worker ${worker.process.pid} hangs, so it is killed`)
      worker.process.kill("SIGKILL")
    }
    this.#killTimers.set(worker, setTimeout(kill, this.#killAfterMs))
  }

  /** Handles the end of a worker. If it has crashed, it is replaced, unless the program is stopping. */
  #handleExit(worker: Worker, exitReason: string | number, uptimeMs: number): void {
    const resolve = this.#startingWorkers.get(worker)
    const isCrash = this.#servingWorkers.delete(worker)
    this.#startingWorkers.delete(worker)
    this.#leavingWorkers.delete(worker)
    clearTimeout(this.#killTimers.get(worker))
    this.#killTimers.delete(worker)
    this.#lastConnections.forget(worker)
    void this.#metrics?.then((all) => all.forget(worker))
    this.#releaseHeldResponses()
    const endMessage = `worker ${worker.process.pid} ended with ${exitReason}`
    if (isCrash && this.#stopSignalCount === 0) {
      if (uptimeMs >= stableAfterMs) this.#crashCount = 0
      const delay = this.#nextDelay()
      warn(`${endMessage}. Another one starts in ${delay / 1000} s`)
      this.#startLater(delay)
    } else if (isCrash && this.#stopSignalCount === 1 && typeof exitReason === "string") warn(endMessage)
    this.#endIfLast(exitReason)
    resolve?.(null)
  }

  #startLater(delay: number): void {
    const timer = setTimeout(() => {
      this.#restartTimers.delete(timer)
      if (this.#missingCount > 0) void this.#startOrRetry()
    }, delay)
    this.#restartTimers.add(timer)
  }

  /** The number of workers that are missing. */
  get #missingCount(): number {
    return this.#stopSignalCount > 0 ? 0 : this.#count - this.#servingWorkers.size - this.#startingWorkers.size
  }

  /** Starts a worker. If it ends before it listens, starts another one after a delay. */
  async #startOrRetry(): Promise<void> {
    if ((await this.#start()) !== null || this.#missingCount <= 0) return
    const delay = this.#nextDelay()
    warn(`a worker ended before it listened. Another one starts in ${delay / 1000} s`)
    this.#startLater(delay)
  }

  #nextDelay(): number {
    const delay = Math.min(maxDelayMs, minDelayMs * 2 ** this.#crashCount)
    this.#crashCount += 1
    return delay
  }

  /** Replaces the workers one after the other. A new one must listen before the old one is asked to end. */
  async #replace(): Promise<void> {
    if (this.#stopSignalCount > 0) return
    this.#mustReplaceAgain = true
    // Workers that are still starting may hang, or may run the old file.
    for (const [worker, resolve] of this.#startingWorkers) this.#dismiss(worker, resolve)
    if (this.#isReplacing) return
    this.#isReplacing = true
    while (this.#mustReplaceAgain && this.#stopSignalCount === 0) {
      this.#mustReplaceAgain = false
      await this.#replaceAll()
    }
    this.#isReplacing = false
    // Some workers may have crashed in the meantime.
    for (let missing = this.#missingCount; missing > 0; missing -= 1) void this.#startOrRetry()
  }

  async #replaceAll(): Promise<void> {
    const oldWorkers = new Set(this.#servingWorkers)
    warn(`replacing ${formatWorkerCount(oldWorkers.size)}`)
    // New workers may crash, so there may be more starts than workers, but at most twice as many.
    for (let starts = 2 * this.#count; starts > 0; starts -= 1) {
      const address = await this.#start()
      if (this.#stopSignalCount > 0 || this.#mustReplaceAgain) return
      if (address === null)
        return warn("the new worker ended before it listened, so the workers that serve stay. Send SIGHUP to try again")
      if (this.#missingCount <= 0 && ![...this.#servingWorkers].some((worker) => oldWorkers.has(worker)))
        return warn(`${formatWorkerCount(this.#count)} ${this.#count === 1 ? "was" : "were"} replaced`)
    }
    warn("the new workers crash, so the workers that serve stay. Send SIGHUP to try again")
  }

  /** Stops all workers. A second call ends them at once. */
  #stop(order: "drain" | "finish"): void {
    this.#stopSignalCount += 1
    for (const timer of this.#restartTimers) clearTimeout(timer)
    this.#file.unwatch()
    for (const [worker, resolve] of this.#startingWorkers) this.#dismiss(worker, resolve)
    for (const worker of this.#servingWorkers) {
      this.#sendOrder(worker, order)
      if (order === "finish") this.#killLater(worker)
    }
    if (this.#stopSignalCount > 1)
      for (const worker of [...this.#servingWorkers, ...this.#leavingWorkers]) worker.process.kill("SIGKILL")
    this.#endIfLast(0)
  }

  #sendOrder(worker: Worker, order: WorkerOrder): void {
    if (worker.isConnected()) worker.send({ order })
  }

  /** Ends this process if the program is stopping and the last worker has ended. */
  #endIfLast(exitReason: string | number): void {
    if (this.#stopSignalCount === 0) return
    // These are normal ends: a worker that did not listen yet ends with a signal.
    if (![0, "SIGINT", "SIGTERM"].includes(exitReason)) process.exitCode = 1
    if (this.#servingWorkers.size + this.#leavingWorkers.size + this.#startingWorkers.size === 0) process.exit()
  }
}

function formatWorkerCount(workers: number): string {
  return workers === 1 ? "1 worker" : `${workers} workers`
}

function warn(text: string): void {
  writeMessage("warn", text, env)
}
