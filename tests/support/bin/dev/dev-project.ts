/** Creates temporary projects, and runs the real `fw dev` in them. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { type IncomingHttpHeaders, request } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { DevStatus } from "../../../../bin/dev/tools/status.ts"
import { packageDirectory } from "../../packages.ts"

const checkout = fileURLToPath(new URL("../../../../", import.meta.url))
const projects: string[] = []
const runs = new Set<Dev>()

/** Ends all processes with the tests, also if a test fails. */
process.once("exit", () => {
  for (const run of runs) {
    // A program that is always busy does not notice that its parent has ended.
    const below = run.descendants()
    run.kill()
    for (const pid of below) if (alive([pid]).length > 0) process.kill(pid, "SIGKILL")
  }
  for (const root of projects) rmSync(root, { recursive: true, force: true })
})

/** Writes files of a project; null deletes a file. */
export function write(root: string, files: Readonly<Record<string, string | null>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name)
    if (text === null) {
      rmSync(path, { recursive: true })
      continue
    }
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** Creates a project that can import fw and esbuild. */
export function makeProject(
  files: Readonly<Record<string, string>>,
  packages: readonly string[] = ["fw", "esbuild"],
): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fw-dev-test-")))
  projects.push(root)
  mkdirSync(join(root, "node_modules"))
  for (const name of packages) {
    const link = join(root, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(packageDirectory(name), link, "dir")
  }
  write(root, { "package.json": '{ "type": "module" }\n', ...files })
  return root
}

/** Returns a route that answers a text. */
export function route(text: string): string {
  return `import type { Context } from "fw"\n\nexport function Get(c: Context): Response {\n  return c.string(200, ${JSON.stringify(text)})\n}\n`
}

/** One run of the command. */
export class Dev {
  readonly child: ChildProcess
  readonly ended: Promise<number | string>
  output = ""
  #seen = 0
  #look: (() => void)[] = []

  constructor(root: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    const command = join(checkout, "dist", "bin", "fw.js")
    const inherited = { ...process.env, NODE_V8_COVERAGE: undefined, NODE_ENV: undefined, PORT: undefined }
    this.child = spawn(process.execPath, [command, "dev", ...args], {
      cwd: root,
      env: { ...inherited, ...env } as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe"],
    })
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.output += text
        for (const look of this.#look.splice(0)) look()
      })
    }
    runs.add(this)
    this.ended = once(this.child, "close").then(([code, signal]) => {
      runs.delete(this)
      for (const look of this.#look.splice(0)) look()
      return code ?? signal
    })
  }

  /** Waits for output that no earlier call has returned. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output.slice(this.#seen))
      if (found) {
        this.#seen += found.index + found[0].length
        return found
      }
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`fw dev ended before its output matched ${pattern}:\n${this.output}`)
      const late = setTimeout(() => {
        this.output += `\n(no output matched ${pattern} within a minute)`
        this.kill()
      }, 60_000)
      await new Promise<void>((resolve) => this.#look.push(resolve))
      clearTimeout(late)
    }
  }

  /** Returns the port on which the project's server listens. */
  async port(): Promise<number> {
    return Number((await this.says(/Local: +http:\/\/[^\s]*:(\d+)\//))[1])
  }

  /**
   * Returns the processes that `fw dev` has started and that run: esbuild, the server, the spare process, and servers
   * that are ending.
   */
  descendants(): number[] {
    const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n")
    const parents = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
    const below = (pid: number): number[] =>
      parents.filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
    return below(this.child.pid as number)
  }

  /** Ends the run with SIGTERM. */
  async stop(): Promise<number | string> {
    this.child.kill("SIGTERM")
    return this.ended
  }

  kill(): void {
    this.child.kill("SIGKILL")
  }
}

/** Returns the status that a run reports to programs, such as coding agents. */
export async function readStatus(root: string, port: number): Promise<DevStatus> {
  const { token } = JSON.parse(readFileSync(join(root, ".fw/dev.json"), "utf8")) as { token: string }
  const { body } = await ask(port, "/__fw/status", { headers: { authorization: `Bearer ${token}` } })
  return JSON.parse(body) as DevStatus
}

/** Starts the command on a free port. */
export function startDev(
  root: string,
  args: readonly string[] = ["--port", "0"],
  env: Readonly<Record<string, string>> = {},
): Dev {
  return new Dev(root, args, env)
}

/** An answer with its body. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly trailers: NodeJS.Dict<string>
  readonly body: string
}

/** Options of a request other than its path. */
export interface Asking {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | readonly string[]
  readonly body?: string
}

/** Sends a request with node:http, which adds no headers. */
export function ask(port: number, path: string, { method = "GET", headers = {}, body }: Asking = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      path,
      method,
      headers: headers as Record<string, string>,
      agent: false,
    }
    const outgoing = request(options, (incoming) => {
      let text = ""
      incoming.setEncoding("utf8").on("data", (chunk) => {
        text += chunk
      })
      incoming.once("error", reject)
      incoming.once("end", () => {
        const { statusCode = 0, headers, rawHeaders, trailers } = incoming
        resolve({ status: statusCode, headers, rawHeaders, trailers, body: text })
      })
    })
    outgoing.once("error", reject)
    outgoing.end(body)
  })
}

/** Returns those of the processes that run. A process that has ended but was not waited for does not count. */
export function alive(pids: readonly number[]): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,stat="], { encoding: "utf8" }).split("\n")
  const running = lines.map((line) => line.trim().split(/\s+/)).filter(([, state]) => !state?.startsWith("Z"))
  const known = new Set(running.map(([pid]) => Number(pid)))
  return pids.filter((pid) => known.has(pid))
}

/** A project under `fw dev`, which {@link oneDev} fills in before the tests run. */
export interface OneDev {
  root: string
  dev: Dev
  port: number
  /** Returns the body of an answer. */
  body(path: string): Promise<string>
  /** Saves files, and sends a request, which waits for the result. */
  save(files: Readonly<Record<string, string | null>>, path: string): Promise<string>
}

/** Starts one server for all tests of a file. Each test must leave the project as it found it. */
export function oneDev(
  test: { before(run: () => Promise<void>): void; after(run: () => Promise<void>): void },
  files: Readonly<Record<string, string>>,
  packages?: readonly string[],
): OneDev {
  const one = {
    async body(path: string) {
      return (await ask(one.port, path)).body
    },
    async save(changes: Readonly<Record<string, string | null>>, path: string) {
      write(one.root, changes)
      await one.dev.says(/rebuilt in \d+ ms: .*/)
      return one.body(path)
    },
  } as OneDev
  test.before(async () => {
    one.root = makeProject(files, packages)
    one.dev = startDev(one.root)
    one.port = await one.dev.port()
  })
  test.after(async () => {
    const code = await one.dev.stop()
    if (code !== 0) throw new Error(`fw dev ended with ${code}`)
  })
  return one
}
