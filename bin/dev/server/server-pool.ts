/**
 * Manages the server processes of `fw dev`: keeps a spare process ready, lets replaced ones finish their requests,
 * and ends all of them.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OwnDirectory } from "../../system/own-directory.ts"
import type { Bundle, Program } from "../bundle/bundler.ts"
import type { DevFiles } from "../dev-files.ts"
import type { ProgramParts } from "./messages.ts"
import { ServerProcess, type ServerSettings, type StartResult } from "./server-process.ts"

/** How long a replaced server may take to finish its requests, in milliseconds. */
const graceMs = 30_000
/** The same for a server that must end before the next one can start. */
const shortGraceMs = 1000
/** The largest number of replaced servers that run besides the current one. */
const maxRetiring = 4

/** Starts and ends server processes. */
export class ServerPool {
  readonly #settings: () => ServerSettings
  /** The directory of the sockets. Null on Windows, where named pipes are not in a directory. */
  readonly #sockets: OwnDirectory | null
  readonly #files: DevFiles
  readonly #servers = new Set<ServerProcess>()
  readonly #abortControllers: AbortController[] = []
  #spare: ServerProcess | undefined
  #packages: readonly string[] = ["fw", "fw/node"]
  #serverCount = 0
  #isClosed = false

  /**
   * Creates a pool.
   *
   * @param settings called for each process, because environment variables may change.
   */
  constructor(files: DevFiles, settings: () => ServerSettings) {
    this.#settings = settings
    this.#sockets = process.platform === "win32" ? null : OwnDirectory.createTemporary(join(findSocketRoot(), "fw-"))
    this.#files = files
    process.once("exit", () => this.#killAll())
  }

  /** Restores the files for server processes, as {@link DevFiles.restore} does. */
  restore(): Promise<boolean> {
    return this.#files.restore()
  }

  /** The directory of the bundles. */
  get directory(): string {
    return this.#files.directory
  }

  /**
   * Starts a spare process for the next program. It imports the packages of the given bundle, which the next
   * program probably needs.
   */
  prepareSpare(bundle?: Bundle): void {
    if (bundle) this.#packages = [...new Set(["fw", "fw/node", ...bundle.externals])]
    if (this.#spare || this.#isClosed) return
    const spare = this.#spawn()
    spare.warmUp({ importer: this.#files.importer, packages: this.#packages })
    this.#spare = spare
    void spare.ended.then(() => {
      if (this.#spare === spare) this.#spare = undefined
    })
  }

  /** Ends the spare process, because its modules or environment are out of date. */
  dropSpare(): void {
    this.#spare?.kill()
    this.#spare = undefined
  }

  /** Returns the spare process, to be passed to {@link start}. */
  takeSpare(): ServerProcess {
    this.prepareSpare()
    const server = this.#spare as ServerProcess
    this.#spare = undefined
    return server
  }

  /** Writes a program and serves it. */
  start(server: ServerProcess, program: Program, parts: ProgramParts, addr: string): Promise<StartResult> {
    const { files, release } = this.#files.write(program)
    void server.ended.then(release)
    return server.start(files, parts, addr)
  }

  /** Ends a replaced server when its requests are done. */
  retire(server: ServerProcess): void {
    const controller = new AbortController()
    this.#abortControllers.push(controller)
    if (this.#abortControllers.length > maxRetiring) this.#abortControllers[0]?.abort()
    const timer = setTimeout(() => controller.abort(), graceMs)
    void server.stop(controller.signal).then(() => {
      clearTimeout(timer)
      this.#abortControllers.splice(this.#abortControllers.indexOf(controller), 1)
    })
  }

  /** Gives the replaced servers a short time to end, and waits for them. */
  async endRetired(): Promise<void> {
    for (const controller of this.#abortControllers) setTimeout(() => controller.abort(), shortGraceMs)
    const others = [...this.#servers].filter((server) => server !== this.#spare)
    await Promise.all(others.map((server) => server.ended))
  }

  /** Ends connections that clients keep open forever, because waiting for them would never end. */
  endLongConnections(): void {
    for (const { target } of this.#servers) target.endLongConnections()
  }

  /** Ends every process. Resolves when none is left. */
  async close(signal: AbortSignal): Promise<void> {
    this.#isClosed = true
    for (const controller of this.#abortControllers)
      signal.addEventListener("abort", () => controller.abort(), { once: true })
    this.dropSpare()
    await Promise.all([...this.#servers].map((server) => server.stop(signal)))
    this.#killAll()
  }

  #spawn(): ServerProcess {
    const name = `${++this.#serverCount}`
    const socket = this.#sockets ? this.#sockets.resolve(name) : `\\\\.\\pipe\\fw-${process.pid}-${crypto.randomUUID()}`
    const server = new ServerProcess(this.#settings(), socket)
    this.#servers.add(server)
    void server.ended.then(() => this.#servers.delete(server))
    return server
  }

  /** Kills every process, also if the command itself is killed. */
  #killAll(): void {
    for (const server of this.#servers) server.kill()
    this.#sockets?.removeAllSync()
    this.#files.clear()
  }
}

/**
 * Returns a directory with a short path, because the path of a socket is limited to about 100 bytes (`sun_path`).
 */
function findSocketRoot(): string {
  return tmpdir().length < 70 ? tmpdir() : "/tmp"
}
