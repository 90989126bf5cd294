/**
 * Carries out a guide step by step as its reader would: in a new project, with npm, and with the application
 * running.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import type { RunningProgram } from "../../../../bin/tools/program.ts"
import { project } from "../../bin/cli/command.ts"
import { copyNewProject, listening, type NewUser } from "../../bin/new/packed.ts"
import { startRedis, type TestServer } from "../../store/server.ts"
import type { Exchange } from "../documents.ts"
import { startPostgres } from "./postgres.ts"
import type { Change, Commands, Step } from "./steps.ts"
import { fits, fitsJSON } from "./wildcards.ts"

/** Commands that run until they are stopped: they start the application. */
const serves = /^(?:\w+=\S+ )*(?:npm run dev|npx fw dev|npm start|\.\/bin\/\S+|node \S+\.mjs)$/
const ready = /(?:Local: +http:\/\/localhost|Listening on .*):(\d+)/

/** The addresses of PostgreSQL and of Redis in guides. */
const postgresAddress = "localhost:5432"
const redisAddress = "localhost:6379"

/** One reader who follows one guide. */
export class Walk {
  #cwd = project({})
  #env: NewUser["env"]
  #user: NewUser
  /** The command that starts the application. It is empty until the guide shows it. */
  #command = ""
  #running: { readonly port: number; readonly program: RunningProgram; output(): string } | undefined
  #postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
  #redis: TestServer | undefined
  /** Other programs that were started besides the application. */
  readonly #others: RunningProgram[] = []
  readonly #cookies = new Map<string, string>()

  /** @param node directory of the Node that the reader has. */
  constructor(user: NewUser, node: string, env: Readonly<Record<string, string>> = {}) {
    this.#user = user
    this.#env = {
      ...user.env,
      ...env,
      PATH: ["node_modules/.bin", node, user.env.PATH].join(delimiter),
      PORT: "0",
      npm_config_prefer_offline: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
    }
  }

  /** Does what a step says. @throws Error that begins with the position of the step. */
  async take(step: Step): Promise<void> {
    try {
      if (step.kind === "ask") for (const exchange of step.exchanges) await this.#ask(exchange)
      else if (step.kind === "run") await this.#runAll(step)
      else if (step.kind === "write") await this.#write(step.file, step.content)
      else await this.#write(step.file, this.#changed(step.file, step.changes))
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      const log = this.#running ? `\nThe application printed:\n${this.#running.output()}` : ""
      throw new Error(`${step.place}: ${said}${log}`, { cause: error })
    }
  }

  async end(): Promise<void> {
    await this.#stop()
    await Promise.all(this.#others.map((program) => program.stop()))
    await this.#postgres?.program.stop()
    await this.#redis?.end()
  }

  /** Runs a command in the project, to its end. */
  async run(line: string): Promise<void> {
    await this.#shell(line)
  }

  /** Starts another process of the project, which ends with the walk at the latest. */
  async serve(line: string): Promise<{ readonly port: number; readonly program: RunningProgram }> {
    const args = ["-ec", `exec env ${line}`]
    const started = await listening(
      (onLine) => this.#user.start(["sh", ...args], { cwd: this.#cwd, env: this.#env, onLine }),
      ready,
    )
    this.#others.push(started.program)
    return started
  }

  /** Stops the application before a command that may change it. The next request starts it again. */
  async #stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    await running?.program.stop()
  }

  /** Checks the types of the whole project, and runs its tests. */
  async finish(): Promise<void> {
    await this.#stop()
    // These are the commands of `npm test` and `npm run check`. The first writes files that the second needs.
    await this.#shell("fw test && tsc --noEmit")
  }

  async #runAll({ lines, output }: Commands): Promise<void> {
    let printed = ""
    for (const line of lines) printed = await this.#run(line)
    if (output !== undefined && !fits(output, printed)) throw new Error(`it printed\n${printed}`)
  }

  async #run(line: string): Promise<string> {
    const [, directory] = /^cd (\S+)$/.exec(line) ?? []
    const [, name, flags = ""] = /^npx fw new (\S+)(.*)$/.exec(line) ?? []
    if (/^npm install \.\/fw-\S+\.tgz/.test(line)) return ""
    if (directory !== undefined) this.#cwd = join(this.#cwd, directory)
    else if (name !== undefined)
      await copyNewProject(join(this.#cwd, name), flags.includes("--api-only") ? "api" : "full-stack")
    else if (serves.test(line)) {
      await this.#stop()
      // Port 3000 may be in use on the machine that runs the test.
      this.#command = line
        .replace("npm run dev", "fw dev")
        .replace("npx fw", "fw")
        .replace(/\bPORT=\d+ /, "")
      await this.#port()
    } else return this.#shell(line)
    return ""
  }

  /** Runs a command to its end. The comment `# exit code 1` after a command says that it must fail. */
  async #shell(line: string): Promise<string> {
    const asks = line.includes("localhost:3000")
    if (!asks) await this.#stop()
    const command = asks ? line.replaceAll("localhost:3000", `localhost:${await this.#port()}`) : line
    const args = ["-ec", command.replace(/^npx fw /, "fw ")]
    const { code, output } = await this.#user.start(["sh", ...args], { cwd: this.#cwd, env: this.#env }).ended
    const expected = Number(/ # exit code (\d+)$/.exec(line)?.[1] ?? 0)
    if (code !== expected) throw new Error(`${line} ended with exit code ${code}\n${output}`)
    return output
  }

  async #write(file: string, content: string): Promise<void> {
    // fw dev builds again, and lets the next request wait for that. Other programs have to be started again.
    if (!this.#command.endsWith("fw dev")) await this.#stop()
    const path = join(this.#cwd, file)
    mkdirSync(dirname(path), { recursive: true })
    if (content.includes(postgresAddress)) this.#postgres ??= await startPostgres(this.#user)
    if (content.includes(redisAddress)) this.#redis ??= await startRedis()
    const text = content
      .replaceAll(postgresAddress, `localhost:${this.#postgres?.port}`)
      .replaceAll(redisAddress, `localhost:${this.#redis?.port}`)
    writeFileSync(path, text)
  }

  #changed(file: string, changes: readonly Change[]): string {
    let text = readFileSync(join(this.#cwd, file), "utf8")
    for (const { before, after } of changes) {
      const found = `\n${text}\n`.split(`\n${before}\n`)
      if (before === "") text += `${after}\n`
      else if (found.length === 2) text = found.join(`\n${after}\n`).slice(1, -1)
      else throw new Error(`${file} has ${found.length - 1} of these lines, not one:\n${before}\nIt is\n${text}`)
    }
    return text
  }

  /** Returns the port of the application. Starts the application if it does not run. */
  async #port(): Promise<number> {
    if (this.#command === "") throw new Error("nothing has started the application: write npm run dev before")
    const args = ["-ec", `exec env ${this.#command}`]
    this.#running ??= await listening(
      (onLine) => this.#user.start(["sh", ...args], { cwd: this.#cwd, env: this.#env, onLine }),
      ready,
    )
    return this.#running.port
  }

  async #ask({ method, path, headers, body, status, answerHeaders, answerBody }: Exchange): Promise<void> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(`http://localhost:${await this.#port()}${path}`, {
      method,
      // With an open connection, the application would wait a second for the next request before it stops.
      headers: { connection: "close", ...(cookie && { cookie }), ...headers },
      ...(body && { body }),
      redirect: "manual",
    })
    this.#keep(response.headers.getSetCookie())
    const text = await response.text()
    const what = `${method} ${path} answered ${response.status}\n${text}`
    if (response.status !== status) throw new Error(what)
    for (const [name, value] of Object.entries(answerHeaders)) {
      const found = response.headers.get(name) ?? ""
      if (!fits(value, found)) throw new Error(`${what}\nwith ${name}: ${found}`)
    }
    const isJSON = /^application\/(?:\w+\+)?json/.test(response.headers.get("content-type") ?? "")
    const good =
      isJSON && answerBody !== "…" ? fitsJSON(JSON.parse(answerBody), JSON.parse(text)) : fits(answerBody, text)
    if (!good) throw new Error(what)
  }

  /** Stores cookies as a browser does on one site. A cookie that is empty or has `Max-Age=0` is removed. */
  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(cookie) ?? []
      if (value === "" || /; Max-Age=0/i.test(cookie)) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
  }
}
