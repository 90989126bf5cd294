/** The document of `app.openapi()` under `fw dev`: written again after every change. */
import { asksForDocument } from "../openapi/embed.ts"
import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { FactsProcess } from "./facts.ts"

/** Makes the document if the app serves it. */
export class OpenAPIFile {
  readonly #project: Project
  readonly #facts: FactsProcess
  readonly #report: (problems: readonly Problem[]) => void

  /**
   * Creates it.
   *
   * @param report receives the problems that kept the types from being read, also if there are none.
   */
  constructor(project: Project, facts: FactsProcess, report: (problems: readonly Problem[]) => void) {
    this.#project = project
    this.#facts = facts
    this.#report = report
  }

  /** Handles a change. */
  async update(): Promise<void> {
    if (!(await asksForDocument(this.#project.root))) return
    // A process that ends each time is started again after the next change.
    const answer = await this.#facts.ask("document").catch(() => null)
    if (answer) this.#report(answer.problems)
  }
}
