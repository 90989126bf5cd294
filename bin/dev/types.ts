/** The types of a project's templates under `fw dev`: checked beside the work, told in the terminal, in nobody's way. Owned by `dev-beside.ts`. */
import { outputPath } from "../../lib/template/index.ts"
import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { templateProblem } from "../project/template-problems.ts"
import { checkTemplateTypes } from "../project/template-types.ts"
import { findTemplates } from "../project/templates.ts"

/** The checker waits for so long a pause between saves, in milliseconds: the rebuild goes first. */
const pause = 300

/** Runs the type checker after changes, one run at a time; a newer change ends the run before. */
export class TemplateTypes {
  readonly #project: Project
  readonly #tell: (problems: readonly Problem[]) => void
  #timer: NodeJS.Timeout | undefined
  #running: AbortController | undefined
  #done: Promise<void> = Promise.resolve()

  /** @param tell gets what a finished check found, also when that is nothing. */
  constructor(project: Project, tell: (problems: readonly Problem[]) => void) {
    this.#project = project
    this.#tell = tell
  }

  /** Something changed, and is in its place. */
  update(): void {
    this.stop()
    this.#timer = setTimeout(() => {
      const abort = new AbortController()
      this.#running = abort
      this.#done = this.#check(abort.signal).catch((error: unknown) => {
        if (!abort.signal.aborted) this.#tell([{ message: `the types were not checked: ${String(error)}` }])
      })
    }, pause)
  }

  /** Something is changing: what a run under way would find is out of date, and the rebuild needs the machine. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#running?.abort()
  }

  /** Ends a run that is under way; resolves when its process is gone. */
  async close(): Promise<void> {
    this.stop()
    await this.#done
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { root } = this.#project
    const { sources } = await findTemplates(root)
    if (sources.length === 0) return
    const { diagnostics } = await checkTemplateTypes(root, sources.map(outputPath), signal)
    if (!signal.aborted) this.#tell(diagnostics.map(templateProblem))
  }
}
