/** Runs a project's tests after every change that concerns them, until it is stopped. */
import { basename, dirname, join, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { failureText } from "../cli/failure.ts"
import { type Io, viewOf } from "../cli/terminal.ts"
import { keepTypes } from "../openapi/kept-types.ts"
import { namesOf } from "../project/problems.ts"
import { kindOf, type Project } from "../project/project.ts"
import { staticDirOf } from "../project/static-dir.ts"
import { isTestFile } from "../project/test-file.ts"
import { ProjectWatcher } from "../system/watch.ts"
import { runTests, type TestListener, type TestOrder, type TestRun } from "./run.ts"

/** The functions that show the runs. */
export interface TestViewer {
  readonly listener: TestListener
  readonly show: (result: TestRun) => void
}

/** Runs the tests until the signal aborts. @throws errors that the project did not cause. */
export async function watchTests(order: TestOrder, io: Io, viewer: TestViewer): Promise<void> {
  const watch = new TestWatch(order, io, viewer)
  const release = keepTypes()
  try {
    await watch.run()
  } finally {
    watch.close()
    await release()
  }
}

class TestWatch {
  readonly #order: TestOrder
  readonly #io: Io
  readonly #viewer: TestViewer
  readonly #watcher: ProjectWatcher
  /** Aborts the run that a change made useless. */
  #current = new AbortController()
  #inputs: ReadonlySet<string> = new Set()
  #failed = false
  #wake: () => void = () => {}

  constructor(order: TestOrder, io: Io, viewer: TestViewer) {
    this.#order = order
    this.#io = io
    this.#viewer = viewer
    this.#watcher = new ProjectWatcher({
      root: order.project.root,
      onEvent: () => {},
      onBurst: (paths) => this.#burst(paths),
      onError: (error) => io.stderr.write(failureText(error, io)),
    })
  }

  async run(): Promise<void> {
    const { interactive, stdin, signal } = this.#io
    signal.addEventListener("abort", this.#onStop, { once: true })
    if (interactive) stdin.on("data", this.#onEnter)
    await this.#watcher.start()
    while (!signal.aborted) {
      this.#current = new AbortController()
      const changed = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await this.#once(AbortSignal.any([signal, this.#current.signal]))
      if (!signal.aborted) await changed
    }
  }

  close(): void {
    const { interactive, stdin, signal } = this.#io
    this.#watcher.close()
    signal.removeEventListener("abort", this.#onStop)
    if (!interactive) return
    stdin.off("data", this.#onEnter)
    stdin.pause()
  }

  /** Runs the tests once. A problem of the project is shown, and the next change runs them again. */
  async #once(signal: AbortSignal): Promise<void> {
    const { cwd, env, stderr, stdout, interactive } = this.#io
    const onFiles = (inputs: ReadonlySet<string>) => this.#follow(inputs)
    try {
      const listener = { ...this.#viewer.listener, onFiles }
      const result = await runTests(this.#order, { cwd, env, stderr, signal }, listener)
      this.#failed = false
      this.#viewer.show(result)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof FwError)) throw error
      this.#failed = true
      stderr.write(failureText(error, this.#io))
    }
    const again = interactive ? " Enter runs the tests again." : ""
    stdout.write(viewOf(stdout, env).style.dim(`Waiting for changes.${again}\n`))
  }

  #follow(inputs: ReadonlySet<string>): void {
    this.#inputs = inputs
    const outside = [...inputs].filter((path) => !path.startsWith(this.#order.project.root + sep))
    for (const directory of new Set(outside.map(dirname))) this.#watcher.add(directory)
  }

  #burst(paths: ReadonlySet<string>): void {
    const { project } = this.#order
    const known = {
      inputs: this.#inputs,
      failed: this.#failed,
      staticDir: join(project.root, staticDirOf(project.root)),
    }
    const changed = new Set([...paths].filter((path) => concerns(project, path, known)))
    if (changed.size > 0) this.#again(`Running again: ${namesOf(project.root, changed)} changed.`)
  }

  readonly #onEnter = () => this.#again("Running again.")

  readonly #onStop = () => this.#wake()

  #again(reason: string): void {
    const { stdout, env } = this.#io
    stdout.write(`\n${viewOf(stdout, env).style.dim(reason)}\n`)
    this.#current.abort()
    this.#wake()
  }
}

/** Returns true if the tests may have another result after a change of this file. */
function concerns(project: Project, path: string, known: Parameters<typeof kindOf>[2]): boolean {
  if (isTestFile(basename(path))) return true
  // Tests do not get the variables of these files, and styles do not change an answer.
  if (/^\.env(?:\.local)?$/.test(basename(path))) return false
  const kind = kindOf(project, path, known)
  return kind === "program" || kind === "asset"
}
