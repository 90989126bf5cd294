/** Compiles the styles of a project under `fw dev` after every change. */
import { existsSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { ensureCSS } from "../css/binary.ts"
import { cssDefaults } from "../css/compile.ts"
import { CSSWatcher } from "../css/watch.ts"
import type { Project } from "../project/project.ts"
import { findStyles } from "../project/static-dir.ts"

/**
 * The longest time that a request waits for the first styles, in milliseconds. The compiler may have to be
 * downloaded.
 */
const maxWaitMs = 10_000

/** Options of {@link Styles}. */
export interface StylesOptions {
  /** Prints a line. */
  readonly say: (text: string) => void
  /** Path of the source, relative to the project. Default: that of the specification. */
  readonly input?: string
  /**
   * Returns the path of the compiled styles, relative to the project. Default: below the directory of static files.
   */
  readonly findOutput?: () => string
  /** Called when the compiled styles have changed. They are bundled before pages can load them. */
  readonly onWritten?: () => void
}

/** Starts the CSS compiler if the project has styles. Errors in styles never stop the server. */
export class Styles {
  readonly #project: Project
  readonly #io: Io
  readonly #options: Required<Omit<StylesOptions, "onWritten">> & Pick<StylesOptions, "onWritten">
  #startingWatcher: Promise<CSSWatcher | undefined> | undefined
  /** Path of the compiled styles, relative to the project. */
  #output = ""
  #isClosed = false
  #isSettled = false
  /** The time of the last change of the compiled styles. */
  #lastWrittenMs = 0
  #onSettled = () => {}
  readonly #settled = new Promise<void>((resolve) => {
    this.#onSettled = () => {
      this.#isSettled = true
      resolve()
    }
  })

  constructor(project: Project, io: Io, options: StylesOptions) {
    this.#project = project
    this.#io = io
    const findOutput = () => findStyles(project.root).output
    this.#options = { input: cssDefaults.input, findOutput, ...options }
  }

  /** Starts the compiler if there are styles and it is not running. Called at the start and after every change. */
  update(): void {
    const { root } = this.#project
    if (this.#isClosed || !existsSync(join(root, this.#options.input))) return
    const output = this.#options.findOutput()
    if (this.#startingWatcher && output === this.#output) return
    const oldWatcher = this.#startingWatcher
    this.#output = output
    // The setting `staticDir` has changed, so the output has another path.
    const oldStop = oldWatcher?.then((watcher) => watcher?.stop())
    this.#startingWatcher = Promise.resolve(oldStop)
      .then(() => this.#start(root))
      .catch((error: unknown) => {
        if (!this.#io.signal.aborted) this.#fail(error)
        return undefined
      })
  }

  /**
   * Resolves when pages can load their styles: at once if they exist or the project has none, otherwise after the
   * first build, even if it fails.
   */
  async waitUntilReady(): Promise<void> {
    if (this.#isFirstBuild()) await this.#settled
  }

  /**
   * Resolves when the compiled styles can be loaded, or after {@link maxWaitMs}; null if the request need not wait.
   */
  waitForURL(url: string): Promise<void> | null {
    const [path = ""] = url.split("?")
    if (basename(path) !== basename(this.#output) || !this.#isFirstBuild()) return null
    const timeout = delay(maxWaitMs, undefined, { ref: false })
    return Promise.race([this.#settled, timeout])
  }

  /** Returns true while the styles are compiled for the first time. */
  #isFirstBuild(): boolean {
    if (this.#startingWatcher === undefined || this.#isSettled) return false
    return this.#options.onWritten !== undefined || !existsSync(join(this.#project.root, this.#output))
  }

  /** Stops the compiler. Resolves when its process has ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#onSettled()
    const watcher = await this.#startingWatcher
    await watcher?.stop()
  }

  /**
   * Called after the compiler has run. It runs when any file changes, even a database, but writes its output only
   * if the styles differ.
   */
  #handleBuild(root: string, time: string): void {
    const { mtimeMs = 0 } = statSync(join(root, this.#output), { throwIfNoEntry: false }) ?? {}
    if (mtimeMs !== this.#lastWrittenMs) this.#options.onWritten?.()
    this.#onSettled()
    if (mtimeMs === this.#lastWrittenMs) return
    this.#lastWrittenMs = mtimeMs
    this.#options.say(`styles built in ${time}\n`)
  }

  async #start(root: string): Promise<CSSWatcher> {
    const { path } = await ensureCSS(this.#io)
    const job = { cwd: root, input: this.#options.input, output: this.#output }
    const watcher = await CSSWatcher.start(path, job, {
      onBuilt: (time) => this.#handleBuild(root, time),
      onProblem: (error) => this.#fail(error),
    })
    watcher.ended.catch((error: unknown) => this.#fail(error))
    return watcher
  }

  #fail(error: unknown): void {
    this.#onSettled()
    const text = error instanceof FwError ? error.toString() : String(error)
    // An error in the styles has a complete message.
    const isStyleError = error instanceof FwError && error.code === "css_compile"
    this.#options.say(isStyleError ? `${text}\n` : `the styles are not compiled: ${text}\n`)
  }
}
