/** The document of `app.openapi()` and the tools of `mcp()` under `fw dev`: written again after every change. */
import { askedParts } from "../openapi/embed.ts"
import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { FactsProcess } from "./facts.ts"

/** Makes the document and the tools if the app serves them. */
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
    const { openapi, mcp } = await askedParts(this.#project.root)
    if (!openapi && !mcp) return
    // A process that ends each time is started again after the next change.
    const answer = await this.#facts.ask("document").catch(() => null)
    if (answer) this.#report(answer.problems)
  }
}
