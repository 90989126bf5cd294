/**
 * Replaces the server process of `fw dev`: starts the next one while the current one runs, and then passes requests
 * to it.
 */

import type { JobResult } from "../../../adapters/jobs/program.ts"
import type { ErrorData } from "../../project/error-data.ts"
import type { Problem } from "../../project/problems.ts"
import type { Program } from "../bundle/bundler.ts"
import type { Upstream } from "../pass-request.ts"
import type { InspectAddress } from "./inspector.ts"
import type { ProgramParts } from "./messages.ts"
import type { ServerPool } from "./server-pool.ts"
import type { ServerProcess, StartResult } from "./server-process.ts"

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
  /** Called if a program has not started after {@link maxStartMs}. */
  readonly onSlowStart: () => void
}

/** After this time, a slow start is reported, in milliseconds. The message contains the same time. */
const maxStartMs = 5000

/** The warning about a program that takes long to start while requests wait for it. */
export const slowStartWarning: Problem = {
  message: "the program has not started after 5 seconds, and requests wait for it",
  fix: "Its modules may wait for something, such as an await outside of a function: give it a time limit, or do not wait for it before the program serves. Or they run without a pause: look for a loop that does not end. A save starts the program again.",
}

/** A starting program that has taken longer than this is stopped when a newer one is ready, in milliseconds. */
const slowStartMs = 500
/** Time between a swap and the start of the next spare, in milliseconds. The first requests to the new server come first. */
const pauseMs = 20

const oneAtATimeNotice =
  "The program opens a port of its own: from now on the old server ends before the new one starts. Requests wait meanwhile."

/** The current server and the next one. */
export class ServerSwap {
  readonly #options: ServerSwapOptions
  #current: ServerProcess | undefined
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
    const timer = setTimeout(onSlowStart, maxStartMs)
    const result = await pool.start(server, program, parts, addr)
    clearTimeout(timer)
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
    this.#retireCurrent()
    this.#current = server
    void server.ended.then((error) => this.#handleEnd(server, error))
    setTimeout(() => pool.prepareSpare(bundle), pauseMs)
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

  /** Ends the current server when its requests are done. */
  #retireCurrent(): void {
    const old = this.#current
    this.#current = undefined
    if (old) this.#options.pool.retire(old)
  }

  async #stopCurrent(): Promise<void> {
    this.#retireCurrent()
    await this.#options.pool.endRetired()
  }
}
