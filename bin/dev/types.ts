/**
 * Checks the types of a project's templates under `fw dev`, in the background, and reports them in the
 * terminal.
 */
import { outputPath } from "../../lib/template/index.ts"
import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { templateProblem } from "../project/template-problems.ts"
import { checkTemplateTypes } from "../project/template-types.ts"
import { findTemplates } from "../project/templates.ts"

/** Pause after a save before the checker starts, in milliseconds, because the rebuild goes first. */
const pause = 100

/** Runs the type checker after changes, one run at a time. A newer change ends the run before. */
export class TemplateTypes {
  readonly #project: Project
  readonly #report: (problems: readonly Problem[]) => void
  #timer: NodeJS.Timeout | undefined
  #running: AbortController | undefined
  #done: Promise<void> = Promise.resolve()

  /**
   * Creates it.
   *
   * @param report receives the result of a check, also if it is empty.
   */
  constructor(project: Project, report: (problems: readonly Problem[]) => void) {
    this.#project = project
    this.#report = report
  }

  /** Handles a change after its rebuild. */
  update(): void {
    this.stop()
    this.#timer = setTimeout(() => {
      const abort = new AbortController()
      this.#running = abort
      this.#done = this.#check(abort.signal).catch((error: unknown) => {
        if (!abort.signal.aborted) this.#report([{ message: `the types were not checked: ${String(error)}` }])
      })
    }, pause)
  }

  /**
   * Stops a running check when a change begins, because its result would be out of date and the rebuild needs
   * the machine.
   */
  stop(): void {
    clearTimeout(this.#timer)
    this.#running?.abort()
  }

  /** Stops a running check; resolves when its process is gone. */
  async close(): Promise<void> {
    this.stop()
    await this.#done
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { root } = this.#project
    const { sources } = await findTemplates(root)
    if (sources.length === 0) return
    const { diagnostics } = await checkTemplateTypes(root, sources.map(outputPath), signal)
    if (!signal.aborted) this.#report(diagnostics.map(templateProblem))
  }
}
