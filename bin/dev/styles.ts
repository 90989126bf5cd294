/** The styles of a project under `fw dev`: compiled on every change once there are any. Owned by the session. */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { ensureCss } from "../css/binary.ts"
import { cssDefaults } from "../css/compile.ts"
import { CssWatcher } from "../css/watch.ts"
import type { Project } from "../project/project.ts"

/** Starts the CSS compiler when the project has styles. What is wrong with it or with them never stops the server. */
export class Styles {
  readonly #project: Project
  readonly #io: Io
  readonly #say: (text: string) => void
  #starting: Promise<CssWatcher | undefined> | undefined
  /** When the compiled styles were last written. */
  #written = 0
  #onSettled = () => {}
  readonly #settled = new Promise<void>((resolve) => {
    this.#onSettled = resolve
  })

  /** @param say where its lines go. */
  constructor(project: Project, io: Io, say: (text: string) => void) {
    this.#project = project
    this.#io = io
    this.#say = say
  }

  /** Starts if there are styles and nothing runs yet. Asked at the start and whenever something changed. */
  update(): void {
    const { root } = this.#project
    if (this.#starting || !existsSync(join(root, cssDefaults.input))) return
    this.#starting = this.#start(root).catch((error: unknown) => {
      if (!this.#io.signal.aborted) this.#fail(error)
      return undefined
    })
  }

  /** Resolves when pages find their styles: at once where they are there or there are none, else after the first build, also one that failed. */
  async ready(): Promise<void> {
    const { root } = this.#project
    if (this.#starting && !existsSync(join(root, cssDefaults.output))) await this.#settled
  }

  /** Ends the compiler; resolves when its process is gone. */
  async close(): Promise<void> {
    this.#onSettled()
    const watcher = await this.#starting
    await watcher?.stop()
  }

  /** The compiler looks whenever any file changes, a database's too, and writes only what is new. */
  #built(root: string, time: string): void {
    this.#onSettled()
    const { mtimeMs = 0 } = statSync(join(root, cssDefaults.output), { throwIfNoEntry: false }) ?? {}
    if (mtimeMs === this.#written) return
    this.#written = mtimeMs
    this.#say(`styles built in ${time}\n`)
  }

  async #start(root: string): Promise<CssWatcher> {
    const { path } = await ensureCss(this.#io)
    const job = { cwd: root, ...cssDefaults }
    const watcher = await CssWatcher.start(path, job, {
      built: (time) => this.#built(root, time),
      problem: (error) => this.#fail(error),
    })
    watcher.ended.catch((error: unknown) => this.#fail(error))
    return watcher
  }

  #fail(error: unknown): void {
    this.#onSettled()
    const text = error instanceof FwError ? error.toString() : String(error)
    // Errors of the styles themselves say so.
    const isTheirs = error instanceof FwError && error.code === "css_compile"
    this.#say(isTheirs ? `${text}\n` : `the styles are not compiled: ${text}\n`)
  }
}
