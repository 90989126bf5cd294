/** Compiles a project's styles on every change until it is stopped. */
import { stat } from "node:fs/promises"
import { dirname } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { makeDirectory } from "../system/directories.ts"
import { ProjectWatcher } from "../system/watch.ts"
import type { ProgramEnd, RunningProgram } from "../tools/program.ts"
import { type CSSFiles, prepareCSS, startCSS } from "./compile.ts"
import { type CSSJob, cleanOutput, compileError, readMessage, toCSSError } from "./problem.ts"

/** Events of a watcher. */
export interface CSSEvents {
  /** The styles were compiled, in a time such as `12ms`; the output was written if it changed. */
  built(time: string): void
  /** The styles do not compile. The next change compiles them again. */
  problem(error: FwError): void
}

/** Compiles until it is stopped. */
export class CSSWatcher {
  readonly #binary: string
  readonly #job: CSSJob
  readonly #events: CSSEvents
  readonly #files: CSSFiles
  readonly #project: ProjectWatcher
  #compiler: RunningProgram | undefined
  #isStopped = false
  /** True if the project changed since the compiler was started. */
  #hasChanged = false
  #mustRestart = false
  /**
   * The last reported problem, until the styles compile or change, because the compiler may start again and
   * report it again.
   */
  #lastProblem = ""
  #wake: () => void = () => {}
  /**
   * Resolves when it is stopped, with the signal that ended the compiler before this process received it.
   *
   * @throws FwError `css_binary` or `css_compile` if the compiler does not run, or ended for another reason
   * than the styles.
   */
  readonly ended: Promise<NodeJS.Signals | null>

  private constructor(binary: string, job: CSSJob, files: CSSFiles, events: CSSEvents) {
    this.#binary = binary
    this.#job = job
    this.#files = files
    this.#events = events
    this.#project = new ProjectWatcher({
      root: job.cwd,
      onEvent: () => {},
      onBurst: (paths) => void this.#handleBurst(paths),
      onError: (error) => events.problem(error),
    })
    this.ended = this.#run().finally(() => this.#project.close())
    // Callers that only stop it need not wait for it.
    this.ended.catch(() => {})
  }

  /** Starts it. @throws FwError `css_input` or `css_output` for an invalid job. */
  static async start(binary: string, job: CSSJob, events: CSSEvents): Promise<CSSWatcher> {
    const files = await prepareCSS(job)
    await makeDirectory({ root: job.cwd, path: dirname(files.output), code: "css_output" })
    return new CSSWatcher(binary, job, files, events)
  }

  /** Stops it; resolves when its process is gone. */
  async stop(): Promise<void> {
    this.#isStopped = true
    void this.#compiler?.stop()
    this.#wake()
    await this.ended.catch(() => {})
  }

  /** Runs the compiler. It exits if the first build fails; then this waits for a change and starts it again. */
  async #run(): Promise<NodeJS.Signals | null> {
    await this.#project.start()
    while (!this.#isStopped) {
      this.#hasChanged = this.#mustRestart = false
      const { end, built, failed } = await this.#runCompiler()
      if (this.#isStopped) return null
      if (this.#mustRestart) continue
      if (built || !failed || end.code !== 1) {
        // Ctrl-C in a terminal also reaches the compiler, possibly first.
        if (end.signal === "SIGINT" || end.signal === "SIGTERM" || end.signal === "SIGHUP") return end.signal
        throw await toCSSError(this.#job, end)
      }
      if (!this.#hasChanged) await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    return null
  }

  /**
   * Restarts the compiler after new directories appear. It does not notice files in a directory that was
   * generated, moved or checked out, but finds them at its start.
   */
  async #handleBurst(paths: ReadonlySet<string>): Promise<void> {
    const others = [...paths].filter((path) => path !== this.#files.output)
    if (others.some((path) => path.endsWith(".css"))) this.#lastProblem = ""
    if (others.length === 0) return
    this.#hasChanged = true
    this.#wake()
    const found = await Promise.all(others.map((path) => stat(path).catch(() => null)))
    if (!found.some((entry) => entry?.isDirectory())) return
    this.#mustRestart = true
    void this.#compiler?.stop()
  }

  async #runCompiler(): Promise<{ end: ProgramEnd; built: boolean; failed: boolean }> {
    const { input, output } = this.#files
    // --watch ends with its standard input, which is a pipe of ours and closes however this process ends.
    // Minified as a build is: one file never has two contents, which git would see.
    const args = ["--input", input, "--output", output, "--watch", "--minify"]
    let built = false
    let failed = false
    const problems: Promise<void>[] = []
    const onLine = (line: string) => {
      const text = cleanOutput(line)[0] ?? ""
      const time = /^Done in (\S+)$/.exec(text)?.[1]
      const message = readMessage(text)
      if (time) {
        built = true
        this.#lastProblem = ""
        this.#events.built(time)
      } else if (message) {
        failed = true
        problems.push(this.#report(message))
      }
    }
    this.#compiler = startCSS(this.#binary, { args, cwd: this.#job.cwd, stdin: "pipe", onLine })
    const end = await this.#compiler.ended
    await Promise.all(problems)
    return { end, built, failed }
  }

  async #report(message: string): Promise<void> {
    if (message === this.#lastProblem) return
    this.#lastProblem = message
    const error = await compileError(this.#job, message)
    if (!this.#isStopped) this.#events.problem(error)
  }
}
