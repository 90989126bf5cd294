/** Generates the document of `app.openapi()` and the tools of `mcp()` under `fw dev`, again after every change. */
import { findServedParts } from "../../openapi/embedded-api.ts"
import type { Problem } from "../../project/problems.ts"
import type { Project } from "../../project/project.ts"
import type { FactsProcess } from "./facts-process.ts"

/** The longest time that a request waits for the document, in milliseconds. */
const maxWaitMs = 30_000

/** Generates the document and the tools if the app serves them. */
export class OpenAPIFile {
  readonly #project: Project
  readonly #facts: FactsProcess
  readonly #updates = new Set<Promise<void>>()
  readonly #report: (problems: readonly Problem[]) => void

  /**
   * Creates the generator.
   *
   * @param report receives the problems that prevent reading the types, also if there are none.
   */
  constructor(project: Project, facts: FactsProcess, report: (problems: readonly Problem[]) => void) {
    this.#project = project
    this.#facts = facts
    this.#report = report
  }

  /** Generates the files again after a change. */
  async update(): Promise<void> {
    const update = this.#generate()
    this.#updates.add(update)
    await update
    this.#updates.delete(update)
  }

  /** Resolves when no document is being generated, or after {@link maxWaitMs}. */
  async waitUntilDone(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise((resolve) => {
      timer = setTimeout(resolve, maxWaitMs)
    })
    await Promise.race([Promise.all(this.#updates), timeout])
    clearTimeout(timer)
  }

  /** True while a document is being generated. */
  get isRunning(): boolean {
    return this.#updates.size > 0
  }

  async #generate(): Promise<void> {
    const { openapi, mcp } = await findServedParts(this.#project.root)
    if (!openapi && !mcp) return
    // If the process ends each time, it is not started again before the next change.
    const answer = await this.#facts.ask("document").catch(() => null)
    if (answer) this.#report(answer.problems)
  }
}
