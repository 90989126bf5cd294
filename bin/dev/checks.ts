/** The checks of `fw validate` that need no types, under `fw dev`: after each change, when the new program runs. */
import type { Finding } from "../inspect/checks/finding.ts"
import { lintProject } from "../inspect/sources.ts"
import { type Problem, problemAt } from "../project/problems.ts"
import type { Project } from "../project/project.ts"

/** Pause before the checks, in milliseconds, because the first requests to the new program go first. */
const pause = 100

/** Checks a project. A newer change makes a running check out of date. */
export class SourceChecks {
  readonly #project: Project
  readonly #report: (problems: readonly Problem[]) => void
  #timer: NodeJS.Timeout | undefined
  #number = 0
  #done: Promise<void> = Promise.resolve()

  /**
   * Creates it.
   *
   * @param report receives the result of each check, also if it is empty.
   */
  constructor(project: Project, report: (problems: readonly Problem[]) => void) {
    this.#project = project
    this.#report = report
  }

  /** Handles a change after its rebuild. */
  update(): void {
    this.stop()
    const number = this.#number
    this.#timer = setTimeout(() => {
      this.#done = this.#check(number)
    }, pause)
  }

  /** Makes a check that runs or waits out of date. */
  stop(): void {
    this.#number += 1
    clearTimeout(this.#timer)
  }

  /** Stops; resolves when no check runs any more. */
  async close(): Promise<void> {
    this.stop()
    await this.#done
  }

  async #check(number: number): Promise<void> {
    try {
      const found = await lintProject(this.#project)
      if (number === this.#number) this.#report(found.map((one) => problemOf(this.#project.root, one)))
    } catch (error) {
      // A file may disappear while it is read; then the next change checks again.
      if (number === this.#number)
        this.#report([{ message: `the project was not checked: ${String(error)}` }])
    }
  }
}

function problemOf(root: string, { file, line, column, message, fix }: Finding): Problem {
  const mark = line === null ? undefined : { line, ...(column === null ? {} : { column }) }
  return problemAt(root, file, mark, { message, fix })
}
