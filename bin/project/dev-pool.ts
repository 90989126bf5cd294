/** The server processes of `fw dev`: the spare that is warm already, the ones that finish, and the end of all. Owned by the session. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServerProcess, type ServerSettings, type Started } from "./dev-server.ts"

/** How long a replaced server may take to finish its requests, in milliseconds. */
const grace = 30_000
/** How long, where the next server cannot start before its end. */
const soon = 1000
/** More replaced servers than this do not run beside the current one. */
const mostRetiring = 4

/** A program that could be started. */
export interface Running {
  readonly server: ServerProcess
  readonly staticDir: string
}

/** Starts servers, each with a bundle of its own, and ends them. */
export class Pool {
  readonly #settings: () => ServerSettings
  readonly #sockets: string
  readonly #files: string
  readonly #importer: string
  readonly #all = new Set<ServerProcess>()
  readonly #retiring: AbortController[] = []
  #spare: ServerProcess | undefined
  #packages: readonly string[] = ["fw", "fw/node"]
  #count = 0
  #closed = false

  /** @param settings asked for each process: variables may change. */
  constructor(root: string, settings: () => ServerSettings) {
    this.#settings = settings
    // mkdtemp makes it this user's alone (mode 0700); a named pipe has no directory.
    this.#sockets = process.platform === "win32" ? "" : mkdtempSync(join(socketRoot(), "fw-"))
    this.#files = ownDirectory(root)
    this.#importer = join(this.#files, "import.mjs")
    writeFileSync(this.#importer, "export default (specifier) => import(specifier)\n")
    process.once("exit", () => this.#abandon())
  }

  /** Where bundles are to be written. */
  get directory(): string {
    return this.#files
  }

  /** Sees to it that a process is ready to take the next program. */
  prepare(packages: readonly string[] = this.#packages): void {
    this.#packages = [...new Set(["fw", "fw/node", ...packages])]
    if (this.#spare || this.#closed) return
    const spare = this.#spawn()
    spare.warm(this.#importer, this.#packages)
    this.#spare = spare
    void spare.ended.then(() => {
      if (this.#spare === spare) this.#spare = undefined
    })
  }

  /** Throws the spare away: what it has loaded, or its environment, is out of date. */
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

  /** Writes a bundle and serves it. */
  async start(
    server: ServerProcess,
    bundle: { code: Uint8Array; map: Uint8Array },
    addr: string,
  ): Promise<Started> {
    const file = join(this.#files, `server-${++this.#count}.mjs`)
    writeFileSync(`${file}.map`, bundle.map)
    writeFileSync(
      file,
      Buffer.concat([bundle.code, Buffer.from(`\n//# sourceMappingURL=server-${this.#count}.mjs.map\n`)]),
    )
    void server.ended.then(() => {
      for (const path of [file, `${file}.map`]) rmSync(path, { force: true })
    })
    return server.start(file, addr)
  }

  /** Ends a server that another one has replaced, when its requests are done. */
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

  /** Ends the replaced servers soon, and waits for it. */
  async clear(): Promise<void> {
    for (const cut of this.#retiring) setTimeout(() => cut.abort(), soon)
    const others = [...this.#all].filter((server) => server !== this.#spare)
    await Promise.all(others.map((server) => server.ended))
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
      ? join(this.#sockets, name)
      : `\\\\.\\pipe\\fw-${process.pid}-${crypto.randomUUID()}`
    const server = new ServerProcess(this.#settings(), socket)
    this.#all.add(server)
    void server.ended.then(() => this.#all.delete(server))
    return server
  }

  /** The last resort, also where the command is ended at once: nothing of it is left. */
  #abandon(): void {
    for (const server of this.#all) server.kill()
    if (this.#sockets) rmSync(this.#sockets, { recursive: true, force: true })
    rmSync(this.#files, { recursive: true, force: true })
  }
}

/** A socket's path may have about 100 bytes (`sun_path`). */
function socketRoot(): string {
  return tmpdir().length < 70 ? tmpdir() : "/tmp"
}

/** This run's own directory in `.fw/dev`; those of runs that were killed are cleared away. */
function ownDirectory(root: string): string {
  const parent = join(root, ".fw", "dev")
  mkdirSync(parent, { recursive: true })
  for (const name of readdirSync(parent)) {
    if (!isAlive(Number(name))) rmSync(join(parent, name), { recursive: true, force: true })
  }
  const directory = join(parent, String(process.pid))
  mkdirSync(directory, { recursive: true })
  return directory
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
