/** Swaps the server processes of `fw dev`: starts the next one next to the current one, and then passes requests to it. */

import type { ErrorData } from "../project/error-data.ts"
import type { Program } from "./bundle.ts"
import type { InspectAddress } from "./inspector.ts"
import type { ProgramParts } from "./messages.ts"
import type { Pool } from "./pool.ts"
import type { Upstream } from "./proxy.ts"
import type { ServerProcess, Started } from "./server.ts"
import { askedAfter, longestStart } from "./slow-start.ts"

/** Options of a {@link ServerSwap}. */
export interface ServerSwapOptions {
  readonly pool: Pool
  /** The debugger of the current program; null for none. */
  readonly inspect: InspectAddress | null
  /** The address that clients see. */
  readonly addr: string
  /** Called if the current server ends by itself. `again` is true if the same program should be started once more. */
  readonly onCrash: (error: ErrorData, again: boolean) => void
  /** Called once if the old server has to end before the new one starts; `notice` says so. */
  readonly onOneAtATime: (notice: string) => void
  /** Called for a program that does not finish starting. `isBusy` is true if it runs without a pause. */
  readonly onSlowStart: (isBusy: boolean) => void
}

/** Longest time, in milliseconds, that a start may take if there is a newer program. */
const slow = 500
/**
 * Time, in milliseconds, between a swap and the end of the old process and the start of the next one. The first requests to the
 * new server run first.
 */
const pause = 20

const oneAtATimeNotice =
  "The program opens a port of its own: from now on the old server ends before the new one starts. Requests wait meanwhile."

/** The current server and its successor. */
export class ServerSwap {
  readonly #options: ServerSwapOptions
  #current: ServerProcess | undefined
  /** Servers that were replaced just now, and still run. */
  readonly #replaced = new Set<ServerProcess>()
  #starting: { readonly server: ServerProcess; readonly since: number } | undefined
  /** True if two processes cannot run at once, for example because the program opens a port of its own. */
  #oneAtATime = false
  #closed = false

  constructor(options: ServerSwapOptions) {
    this.#options = options
  }

  /** The server that answers requests; undefined if there is none. */
  get target(): Upstream | undefined {
    return this.#current?.target
  }

  /** Starts a program and swaps to it when it is ready. If it fails, the current server goes on. */
  async swapTo(program: Program, parts: ProgramParts): Promise<Started> {
    if (this.#oneAtATime) await this.#stopCurrent()
    const started = await this.#start(program, parts)
    if (!("error" in started) || !this.#needsOldStopped(started.error)) return started
    await this.#stopCurrent()
    return this.#start(program, parts)
  }

  /** Stops a program that starts slowly, because there is a newer one. */
  dropSlowStart(): void {
    const { server, since } = this.#starting ?? {}
    if (since !== undefined && performance.now() - since > slow) server?.kill()
  }

  /** Waits for a server that left a request without a response. @returns true if it has ended. */
  async lost(target: Upstream): Promise<boolean> {
    const server = this.#current
    if (server?.target !== target) return true
    // The end of a process is reported after the end of its connections.
    await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 500))])
    return this.#current !== server
  }

  /** Starts nothing from now on. */
  close(): void {
    this.#closed = true
    this.#starting?.server.kill()
  }

  async #start(program: Program, parts: ProgramParts): Promise<Started> {
    const { pool, addr, onSlowStart, inspect } = this.#options
    const server = pool.take()
    // Without an old program, the debugger can follow this one from its first line.
    if (inspect && !this.#current) server.openInspector(inspect)
    this.#starting = { server, since: performance.now() }
    const late = [
      setTimeout(() => server.ask(), askedAfter),
      setTimeout(() => onSlowStart(!server.waits), longestStart),
    ]
    const started = await pool.start(server, program, parts, addr)
    for (const timer of late) clearTimeout(timer)
    this.#starting = undefined
    if ("error" in started || this.#closed) return started
    const old = this.#current
    this.#swap(server, program)
    if (inspect && old)
      void old.closeInspector().then(() => server.openInspector({ ...inspect, waits: false }))
    return started
  }

  #swap(server: ServerProcess, { bundle }: Program): void {
    const { pool } = this.#options
    const old = this.#current
    this.#current = server
    void server.ended.then((error) => this.#ended(server, error))
    if (old) this.#replaced.add(old)
    setTimeout(() => {
      this.#retire()
      pool.prepare(bundle)
    }, pause)
  }

  #ended(server: ServerProcess, error: ErrorData): void {
    if (this.#current !== server || this.#closed) return
    this.#current = undefined
    this.#options.onCrash(error, this.#needsOldStopped(error))
  }

  /** True if a program failed because the old server was still running. This is found out once. */
  #needsOldStopped({ code = "" }: ErrorData): boolean {
    if (this.#oneAtATime || !/^(?:EADDRINUSE|port_in_use)$/.test(code)) return false
    this.#oneAtATime = true
    this.#options.onOneAtATime(oneAtATimeNotice)
    return true
  }

  /** Ends the replaced servers when their requests are done. */
  #retire(): void {
    for (const server of this.#replaced) this.#options.pool.retire(server)
    this.#replaced.clear()
  }

  async #stopCurrent(): Promise<void> {
    this.#retire()
    const old = this.#current
    this.#current = undefined
    if (old) this.#options.pool.retire(old)
    await this.#options.pool.clear()
  }
}
