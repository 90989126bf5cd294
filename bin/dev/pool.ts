/** The server processes of `fw dev`: the warm spare, those that finish their requests, and the end of all. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OwnDirectory } from "../system/own-directory.ts"
import type { Bundle, Program } from "./bundle.ts"
import type { DevFiles } from "./files.ts"
import type { ProgramParts } from "./messages.ts"
import { ServerProcess, type ServerSettings, type Started } from "./server.ts"

/** Time for a replaced server to finish its requests, in milliseconds. */
const grace = 30_000
/** The same if the next server can only start after its end. */
const soon = 1000
/** Most replaced servers that run at the same time as the current one. */
const mostRetiring = 4

/** Starts servers, each with its own program, and ends them. */
export class Pool {
  readonly #settings: () => ServerSettings
  /** Null on Windows, where a named pipe is not in a directory. */
  readonly #sockets: OwnDirectory | null
  readonly #files: DevFiles
  readonly #all = new Set<ServerProcess>()
  readonly #retiring: AbortController[] = []
  #spare: ServerProcess | undefined
  #packages: readonly string[] = ["fw", "fw/node"]
  #count = 0
  #closed = false

  /**
   * Creates a pool.
   *
   * @param settings called for each process, because variables may change.
   */
  constructor(files: DevFiles, settings: () => ServerSettings) {
    this.#settings = settings
    this.#sockets = process.platform === "win32" ? null : OwnDirectory.temporary(join(socketRoot(), "fw-"))
    this.#files = files
    process.once("exit", () => this.#abandon())
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
  prepare(bundle?: Bundle): void {
    if (bundle) this.#packages = [...new Set(["fw", "fw/node", ...bundle.externals])]
    if (this.#spare || this.#closed) return
    const spare = this.#spawn()
    spare.warm({ importer: this.#files.importer, packages: this.#packages })
    this.#spare = spare
    void spare.ended.then(() => {
      if (this.#spare === spare) this.#spare = undefined
    })
  }

  /** Replaces the spare, whose modules or environment are out of date. */
  refresh(): void {
    this.#spare?.kill()
    this.#spare = undefined
  }

  /** Takes the spare, for {@link start}. */
  take(): ServerProcess {
    this.prepare()
    const server = this.#spare as ServerProcess
    this.#spare = undefined
    return server
  }

  /** Writes a program and serves it. */
  start(server: ServerProcess, program: Program, parts: ProgramParts, addr: string): Promise<Started> {
    const { files, release } = this.#files.write(program)
    void server.ended.then(release)
    return server.start(files, parts, addr)
  }

  /** Ends a replaced server when its requests are done. */
  retire(server: ServerProcess): void {
    const cut = new AbortController()
    this.#retiring.push(cut)
    if (this.#retiring.length > mostRetiring) this.#retiring[0]?.abort()
    const timer = setTimeout(() => cut.abort(), grace)
    void server.stop(cut.signal).then(() => {
      clearTimeout(timer)
      this.#retiring.splice(this.#retiring.indexOf(cut), 1)
    })
  }

  /** Ends the replaced servers soon, and waits for them. */
  async clear(): Promise<void> {
    for (const cut of this.#retiring) setTimeout(() => cut.abort(), soon)
    const others = [...this.#all].filter((server) => server !== this.#spare)
    await Promise.all(others.map((server) => server.ended))
  }

  /** Ends connections that clients keep open without end, for which nothing waits. */
  release(): void {
    for (const { target } of this.#all) target.release()
  }

  /** Ends every process; resolves when none is left. */
  async close(signal: AbortSignal): Promise<void> {
    this.#closed = true
    for (const cut of this.#retiring) signal.addEventListener("abort", () => cut.abort(), { once: true })
    this.refresh()
    await Promise.all([...this.#all].map((server) => server.stop(signal)))
    this.#abandon()
  }

  #spawn(): ServerProcess {
    const name = `${++this.#count}`
    const socket = this.#sockets
      ? this.#sockets.at(name)
      : `\\\\.\\pipe\\fw-${process.pid}-${crypto.randomUUID()}`
    const server = new ServerProcess(this.#settings(), socket)
    this.#all.add(server)
    void server.ended.then(() => this.#all.delete(server))
    return server
  }

  /** Ends everything at once, also if the command itself is killed. */
  #abandon(): void {
    for (const server of this.#all) server.kill()
    this.#sockets?.clear()
    this.#files.clear()
  }
}

/** Returns a short directory: the path of a socket may have about 100 bytes (`sun_path`). */
function socketRoot(): string {
  return tmpdir().length < 70 ? tmpdir() : "/tmp"
}
