/** Compiles a project's styles on every change until it is stopped. */
import { stat } from "node:fs/promises"
import { dirname } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { makeDirectory } from "../system/directories.ts"
import { ProjectWatcher } from "../system/watch.ts"
import type { ProgramEnd, RunningProgram } from "../tools/program.ts"
import { type CSSFiles, prepareCSS, startCSS } from "./compile.ts"
import { type CSSJob, cleanOutput, compileError, readMessage, toCSSError } from "./problem.ts"

/** Functions that a watcher calls. */
export interface CSSEvents {
  /**
   * Called when the styles were compiled. `time` is a text such as `12ms`. The output was written if it changed.
   */
  onBuilt(time: string): void
  /** Called when the styles do not compile. They are compiled again after the next change. */
  onProblem(error: FwError): void
}

/** Compiles the styles after every change until it is stopped. */
export class CSSWatcher {
  readonly #binary: string
  readonly #job: CSSJob
  readonly #events: CSSEvents
  readonly #files: CSSFiles
  readonly #project: ProjectWatcher
  #compiler: RunningProgram | undefined
  #isStopped = false
  /** True if the project has changed since the compiler started. */
  #hasChanged = false
  #mustRestart = false
  /**
   * The last reported problem, until the styles compile or change. A restarted compiler would report it a second
   * time.
   */
  #lastProblem = ""
  #wake: () => void = () => {}
  /**
   * Resolves when the watcher is stopped. The value is the signal if one ended the compiler before this process
   * received it.
   *
   * @throws FwError `css_binary` or `css_compile` if the compiler does not run, or ended for another reason than
   * the styles.
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
      onError: (error) => events.onProblem(error),
    })
    this.ended = this.#run().finally(() => this.#project.close())
    // Not every caller awaits `ended`, and an unhandled rejection would end the process.
    this.ended.catch(() => {})
  }

  /**
   * Starts a watcher.
   *
   * @throws FwError `css_input` or `css_output` for an invalid job.
   */
  static async start(binary: string, job: CSSJob, events: CSSEvents): Promise<CSSWatcher> {
    const files = await prepareCSS(job)
    await makeDirectory({ root: job.cwd, path: dirname(files.output), code: "css_output" })
    return new CSSWatcher(binary, job, files, events)
  }

  /** Stops the watcher. Resolves when the compiler's process has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    void this.#compiler?.stop()
    this.#wake()
    await this.ended.catch(() => {})
  }

  /**
   * Runs the compiler. It exits if the first build fails; then this function waits for a change and starts it
   * again.
   */
  async #run(): Promise<NodeJS.Signals | null> {
    this.#project.start()
    while (!this.#isStopped) {
      this.#hasChanged = this.#mustRestart = false
      const { end, built, failed } = await this.#runCompiler()
      if (this.#isStopped) return null
      if (this.#mustRestart) continue
      if (built || !failed || end.code !== 1) {
        // Ctrl-C in a terminal also reaches the compiler, maybe before this process.
        if (end.signal === "SIGINT" || end.signal === "SIGTERM" || end.signal === "SIGHUP") return end.signal
        throw await toCSSError(this.#job, end)
      }
      if (!this.#hasChanged) await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    return null
  }

  /**
   * Restarts the compiler after new directories appear. It does not notice files in a directory that was generated,
   * moved or checked out, but finds them when it starts.
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
    // --watch ends when standard input closes. It is a pipe of this process, so the compiler ends with this process
    // in any case. The output is minified as in a build: otherwise the file would change with every build, and git
    // would show it.
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
        this.#events.onBuilt(time)
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
    if (!this.#isStopped) this.#events.onProblem(error)
  }
}
