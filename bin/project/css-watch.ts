/** Compiles a project's styles on every change until it is told to stop. Called by `fw css watch` and `fw dev`. */
import type { ChildProcess } from "node:child_process"
import { stat } from "node:fs/promises"
import { createInterface } from "node:readline"
import type { FwError } from "../../lib/errors.ts"
import { type CssEnd, type CssFiles, finished, prepareCss, startCss } from "./css-compile.ts"
import { type CssJob, cleaned, compileError, cssProblem, messageOf, sheetsOf } from "./css-problem.ts"
import { ProjectWatcher } from "./watch.ts"

/** What a watcher tells. */
export interface CssEvents {
  /** The styles were compiled, within so long, such as `12ms`; the output is written if it changed. */
  built(time: string): void
  /** They do not compile. The next change compiles them again. */
  problem(error: FwError): void
}

/** Compiles until it is stopped. */
export class CssWatcher {
  readonly #binary: string
  readonly #job: CssJob
  readonly #events: CssEvents
  readonly #files: CssFiles
  #child: ChildProcess | undefined
  #waiting: ProjectWatcher | undefined
  #stopped = false
  #endWait: () => void = () => {}
  /**
   * Resolves when it was stopped.
   *
   * @throws FwError `css_binary` or `css_compile` when the compiler does not run, or ended for another reason than the styles.
   */
  readonly ended: Promise<void>

  private constructor(binary: string, job: CssJob, files: CssFiles, events: CssEvents) {
    this.#binary = binary
    this.#job = job
    this.#files = files
    this.#events = events
    this.ended = this.#run()
    // Whoever only stops it need not wait for it.
    this.ended.catch(() => {})
  }

  /** Starts. @throws FwError `css_input` or `css_output` for a job that cannot be done. */
  static async start(binary: string, job: CssJob, events: CssEvents): Promise<CssWatcher> {
    return new CssWatcher(binary, job, await prepareCss(job), events)
  }

  /** Ends it; resolves when its process is gone. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#child?.kill("SIGTERM")
    this.#endWait()
    await this.ended.catch(() => {})
  }

  /** The compiler gives up where the first build fails. Then this waits for a change and starts another. */
  async #run(): Promise<void> {
    while (!this.#stopped) {
      const began = Date.now()
      const { end, built, failed } = await this.#watch()
      if (this.#stopped) return
      if (built || !failed || end.code !== 1) {
        // Ctrl-C in a terminal reaches the compiler too, and maybe first.
        if (end.signal === "SIGINT" || end.signal === "SIGTERM" || end.signal === "SIGHUP") return
        throw await cssProblem(this.#job, end)
      }
      await this.#change(began)
    }
  }

  async #watch(): Promise<{ end: CssEnd; built: boolean; failed: boolean }> {
    const { input, output } = this.#files
    // Plain --watch ends with its standard input: a pipe of ours, which closes however this process ends.
    const args = ["--input", input, "--output", output, "--watch"]
    const child = startCss(this.#binary, args, this.#job.cwd, "pipe")
    this.#child = child
    let built = false
    let failed = false
    const problems: Promise<void>[] = []
    if (child.stderr) {
      createInterface({ input: child.stderr }).on("line", (line) => {
        const text = cleaned(line)[0] ?? ""
        const time = /^Done in (\S+)$/.exec(text)?.[1]
        const message = messageOf(text)
        if (time) {
          built = true
          this.#events.built(time)
        } else if (message) {
          failed = true
          problems.push(this.#report(message))
        }
      })
    }
    const end = await finished(child, this.#binary)
    await Promise.all(problems)
    return { end, built, failed }
  }

  async #report(message: string): Promise<void> {
    const error = await compileError(this.#job, message)
    if (!this.#stopped) this.#events.problem(error)
  }

  /** Waits until a file of the project changes, or one of the styles has changed since a time. */
  async #change(since: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#endWait = resolve
      if (this.#stopped) return resolve()
      this.#waiting = new ProjectWatcher({
        root: this.#job.cwd,
        onEvent: () => {},
        onBurst: () => resolve(),
        onError: reject,
      })
      this.#waiting
        .start()
        .then(() => this.#changedSince(since))
        .then((changed) => changed && resolve(), reject)
    }).finally(() => this.#waiting?.close())
  }

  async #changedSince(since: number): Promise<boolean> {
    const sheets = await sheetsOf(this.#job)
    const times = await Promise.all(sheets.map(({ file }) => stat(file).catch(() => null)))
    return times.some((found) => found !== null && found.mtimeMs > since)
  }
}
