/**
 * Replaces the server process of `fw dev`: starts the next one while the current one runs, and then passes requests
 * to it.
 */

import type { JobResult } from "../../../adapters/jobs/program.ts"
import type { ErrorData } from "../../project/error-data.ts"
import type { Program } from "../bundle/bundler.ts"
import type { Upstream } from "../pass-request.ts"
import type { InspectAddress } from "./inspector.ts"
import type { ProgramParts } from "./messages.ts"
import type { ServerPool } from "./server-pool.ts"
import type { ServerProcess, StartResult } from "./server-process.ts"
import { askAfterMs, maxStartMs } from "./slow-start.ts"

/** Options of a {@link ServerSwap}. */
export interface ServerSwapOptions {
  readonly pool: ServerPool
  /** The debugger of the current program; null if none was requested. */
  readonly inspect: InspectAddress | null
  /** The address that clients see. */
  readonly addr: string
  /**
   * Called if the current server ends by itself. `isRestart` is true if the same program should be started again.
   */
  readonly onCrash: (error: ErrorData, isRestart: boolean) => void
  /** Called once if an old server must end before the next one can start. `notice` is the message about it. */
  readonly onOneAtATime: (notice: string) => void
  /** Called if a program takes long to start. `isBusy` is true if it runs without a pause. */
  readonly onSlowStart: (isBusy: boolean) => void
}

/** A starting program that has taken longer than this is stopped when a newer one is ready, in milliseconds. */
const slowStartMs = 500
/**
 * The time between a swap and the end of the old process and start of the next spare, in milliseconds. It leaves
 * the processor to the first requests to the new server.
 */
const pauseMs = 20

const oneAtATimeNotice =
  "The program opens a port of its own: from now on the old server ends before the new one starts. Requests wait meanwhile."

/** The current server and the next one. */
export class ServerSwap {
  readonly #options: ServerSwapOptions
  #current: ServerProcess | undefined
  /** Servers that were replaced just now and still run. */
  readonly #replacedServers = new Set<ServerProcess>()
  #startingServer: { readonly server: ServerProcess; readonly startedAt: number } | undefined
  /** True if two programs cannot run at once, for example because the program opens a port of its own. */
  #isOneAtATime = false
  #isClosed = false

  constructor(options: ServerSwapOptions) {
    this.#options = options
  }

  /** The server that answers requests; undefined if there is none. */
  get target(): Upstream | undefined {
    return this.#current?.target
  }

  /** Runs a command of `fw jobs` in the current program. Returns null without a program or jobs. */
  async runJobCommand(args: readonly string[]): Promise<JobResult | null> {
    return (await this.#current?.runJobCommand(args)) ?? null
  }

  /**
   * Starts a program and passes requests to it when it is ready. If it fails, the current server stays, unless it had
   * to end before.
   */
  async swapTo(program: Program, parts: ProgramParts): Promise<StartResult> {
    if (this.#isOneAtATime) await this.#stopCurrent()
    const result = await this.#start(program, parts)
    if (!("error" in result) || !this.#needsOldStopped(result.error)) return result
    await this.#stopCurrent()
    return this.#start(program, parts)
  }

  /** Stops a program that starts slowly, because there is a newer one. */
  dropSlowStart(): void {
    const { server, startedAt } = this.#startingServer ?? {}
    if (startedAt !== undefined && performance.now() - startedAt > slowStartMs) server?.kill()
  }

  /**
   * Waits for the end of a server that left a request without a response.
   *
   * @returns true if it has ended.
   */
  async waitForEnd(target: Upstream): Promise<boolean> {
    const server = this.#current
    if (server?.target !== target) return true
    // The operating system reports the end of a process after the end of its connections.
    await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 500))])
    return this.#current !== server
  }

  /** Kills a server that is starting. No other one is started afterwards. */
  close(): void {
    this.#isClosed = true
    this.#startingServer?.server.kill()
  }

  async #start(program: Program, parts: ProgramParts): Promise<StartResult> {
    const { pool, addr, onSlowStart, inspect } = this.#options
    const server = pool.takeSpare()
    // If no old program has the debugger, it can follow this one from its first line.
    if (inspect && !this.#current) server.openInspector(inspect)
    this.#startingServer = { server, startedAt: performance.now() }
    const timers = [
      setTimeout(() => server.askIfWaiting(), askAfterMs),
      setTimeout(() => onSlowStart(!server.isWaiting), maxStartMs),
    ]
    const result = await pool.start(server, program, parts, addr)
    for (const timer of timers) clearTimeout(timer)
    this.#startingServer = undefined
    if ("error" in result || this.#isClosed) return result
    const old = this.#current
    this.#swap(server, program)
    if (inspect && old)
      void old.closeInspector().then(() => server.openInspector({ ...inspect, waitsForDebugger: false }))
    return result
  }

  #swap(server: ServerProcess, { bundle }: Program): void {
    const { pool } = this.#options
    const old = this.#current
    this.#current = server
    void server.ended.then((error) => this.#handleEnd(server, error))
    if (old) this.#replacedServers.add(old)
    setTimeout(() => {
      this.#retire()
      pool.prepareSpare(bundle)
    }, pauseMs)
  }

  #handleEnd(server: ServerProcess, error: ErrorData): void {
    if (this.#current !== server || this.#isClosed) return
    this.#current = undefined
    this.#options.onCrash(error, this.#needsOldStopped(error))
  }

  /**
   * Returns true if a program failed because the old server was still running. Later swaps then end the old server
   * first.
   */
  #needsOldStopped({ code = "" }: ErrorData): boolean {
    if (this.#isOneAtATime || !/^(?:EADDRINUSE|port_in_use)$/.test(code)) return false
    this.#isOneAtATime = true
    this.#options.onOneAtATime(oneAtATimeNotice)
    return true
  }

  /** Ends the replaced servers when their requests are done. */
  #retire(): void {
    for (const server of this.#replacedServers) this.#options.pool.retire(server)
    this.#replacedServers.clear()
  }

  async #stopCurrent(): Promise<void> {
    this.#retire()
    const old = this.#current
    this.#current = undefined
    if (old) this.#options.pool.retire(old)
    await this.#options.pool.endRetired()
  }
}
