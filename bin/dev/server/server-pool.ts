/**
 * The server processes of `fw dev`: keeps a warm spare, lets replaced processes finish their requests, and ends all
 * of them.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OwnDirectory } from "../../system/own-directory.ts"
import type { Bundle, Program } from "../bundle/bundler.ts"
import type { DevFiles } from "../dev-files.ts"
import type { ProgramParts } from "./messages.ts"
import { ServerProcess, type ServerSettings, type StartResult } from "./server-process.ts"

/** Time for a replaced server to finish its requests, in milliseconds. */
const graceMs = 30_000
/** The same, but for a server that has to end before the next one can start. */
const shortGraceMs = 1000
/** Most replaced servers that run at the same time as the current one. */
const maxRetiring = 4

/** Starts servers, each with its own program, and ends them. */
export class ServerPool {
  readonly #settings: () => ServerSettings
  /** Null on Windows, where a named pipe is not in a directory. */
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
   * @param settings called for each process, because variables may change.
   */
  constructor(files: DevFiles, settings: () => ServerSettings) {
    this.#settings = settings
    this.#sockets = process.platform === "win32" ? null : OwnDirectory.createTemporary(join(findSocketRoot(), "fw-"))
    this.#files = files
    process.once("exit", () => this.#killAll())
  }

  /** See {@link DevFiles.restore}. */
  restore(): Promise<boolean> {
    return this.#files.restore()
  }

  /** Directory for bundles. */
  get directory(): string {
    return this.#files.directory
  }

  /** Prepares a spare process for the next program, probably with the packages of this bundle. */
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

  /** Replaces the spare, whose modules or environment are out of date. */
  dropSpare(): void {
    this.#spare?.kill()
    this.#spare = undefined
  }

  /** Takes the spare, for {@link start}. */
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

  /** Ends the replaced servers soon, and waits for them. */
  async endRetired(): Promise<void> {
    for (const controller of this.#abortControllers) setTimeout(() => controller.abort(), shortGraceMs)
    const others = [...this.#servers].filter((server) => server !== this.#spare)
    await Promise.all(others.map((server) => server.ended))
  }

  /** Ends connections that clients keep open forever. Nothing waits for them. */
  endLongConnections(): void {
    for (const { target } of this.#servers) target.endLongConnections()
  }

  /** Ends every process; resolves when none is left. */
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

  /** Ends everything at once, also if the command itself is killed. */
  #killAll(): void {
    for (const server of this.#servers) server.kill()
    this.#sockets?.removeAllSync()
    this.#files.clear()
  }
}

/** Returns a short directory: the path of a socket may have about 100 bytes (`sun_path`). */
function findSocketRoot(): string {
  return tmpdir().length < 70 ? tmpdir() : "/tmp"
}
