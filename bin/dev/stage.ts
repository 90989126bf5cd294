/** Which server process of `fw dev` answers: starts the next beside the current one, and puts it in its place. Owned by the session. */

import type { ErrorData } from "../project/problems.ts"
import type { Program } from "./bundle.ts"
import type { ProgramParts } from "./messages.ts"
import type { Pool } from "./pool.ts"
import type { Target } from "./proxy.ts"
import type { ServerProcess, Started } from "./server.ts"

/** What a stage tells. */
export interface StageOptions {
  readonly pool: Pool
  /** The address that clients see. */
  readonly addr: string
  /** The current server has ended by itself. `again`: it will do better if the same program is started once more. */
  readonly onCrash: (error: ErrorData, again: boolean) => void
  /** From now on the old server ends before the new one starts; `notice` says so. */
  readonly onCrowded: (notice: string) => void
}

/** A start that takes longer than this, in milliseconds, is given up for a newer program. */
const slow = 500
/** A process is made so long after a swap: the first requests to the new server need the time more. */
const breath = 20

const crowded =
  "The program opens a port of its own: from now on the old server ends before the new one starts. Requests wait meanwhile."

/** The current server and its successor. */
export class Stage {
  readonly #options: StageOptions
  #current: ServerProcess | undefined
  #starting: { readonly server: ServerProcess; readonly since: number } | undefined
  /** The program holds something that two processes cannot hold, such as a port of its own: then the old server ends first. */
  #alone = false
  #closed = false

  constructor(options: StageOptions) {
    this.#options = options
  }

  /** Where requests go; undefined where there is no server. */
  get target(): Target | undefined {
    return this.#current?.target
  }

  /** Starts a program and swaps to it when it is ready. One that fails leaves the current server as it is. */
  async show(program: Program, parts: ProgramParts): Promise<Started> {
    if (this.#alone) await this.#makeRoom()
    const started = await this.#start(program, parts)
    if (!("error" in started) || !this.#isCrowded(started.error)) return started
    await this.#makeRoom()
    return this.#start(program, parts)
  }

  /** There is a newer program: one that does not get ready is not waited for. */
  hurry(): void {
    const { server, since } = this.#starting ?? {}
    if (since !== undefined && performance.now() - since > slow) server?.kill()
  }

  /** Waits for what becomes of a server that has left a request without an answer. @returns whether it has ended. */
  async lost(target: Target): Promise<boolean> {
    const server = this.#current
    if (server?.target !== target) return true
    // The end of a process is heard of after the end of its connections.
    await Promise.race([server.ended, new Promise((resolve) => setTimeout(resolve, 500))])
    return this.#current !== server
  }

  /** Nothing is started from now on. */
  close(): void {
    this.#closed = true
    this.#starting?.server.kill()
  }

  async #start(program: Program, parts: ProgramParts): Promise<Started> {
    const { pool, addr } = this.#options
    const server = pool.take()
    this.#starting = { server, since: performance.now() }
    const started = await pool.start(server, program, parts, addr)
    this.#starting = undefined
    if (!("error" in started) && !this.#closed) this.#swap(server, program)
    return started
  }

  #swap(server: ServerProcess, { bundle }: Program): void {
    const { pool } = this.#options
    const old = this.#current
    this.#current = server
    void server.ended.then((error) => this.#ended(server, error))
    if (old) pool.retire(old)
    setTimeout(() => pool.prepare(bundle), breath)
  }

  #ended(server: ServerProcess, error: ErrorData): void {
    if (this.#current !== server || this.#closed) return
    this.#current = undefined
    this.#options.onCrash(error, this.#isCrowded(error))
  }

  /** Whether a program failed because its predecessor was still there. Learnt once. */
  #isCrowded({ code = "" }: ErrorData): boolean {
    if (this.#alone || !/^(?:EADDRINUSE|port_in_use)$/.test(code)) return false
    this.#alone = true
    this.#options.onCrowded(crowded)
    return true
  }

  async #makeRoom(): Promise<void> {
    const old = this.#current
    this.#current = undefined
    if (old) this.#options.pool.retire(old)
    await this.#options.pool.clear()
  }
}
