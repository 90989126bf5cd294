/** Caches the routes of a project and the files that may link to them. */

import { type Answers, readAnswers } from "../../inspect/links/answers.ts"
import { findIgnoredFiles } from "../../inspect/links/check-links.ts"
import { type ProjectSources, readSources } from "../../inspect/project-sources.ts"
import type { Project } from "../project.ts"

/** The facts about a project that are needed for links. */
interface ProjectFacts {
  readonly project: ProjectSources
  readonly answers: Answers
  /** Returns those missing files that git ignores. */
  readonly findIgnored: (missing: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Reads a project on first use, and again after a change. */
export class ProjectRoutes {
  readonly #project: Project
  #facts: Promise<ProjectFacts> | undefined

  /** Creates the cache. Nothing is read yet. */
  constructor(project: Project) {
    this.#project = project
  }

  /** Clears the cache, because a file has changed. */
  forget(): void {
    this.#facts = undefined
  }

  /** Returns the routes, everything else that answers requests, and the files that may contain links. */
  read(): Promise<ProjectFacts> {
    this.#facts ??= this.#readAll()
    return this.#facts
  }

  async #readAll(): Promise<ProjectFacts> {
    const root = this.#project.root()
    const { appDir } = this.#project
    const project = await readSources({ root, appDir })
    const answers = await readAnswers(root, project)
    const ignoredByKey = new Map<string, Promise<ReadonlySet<string>>>()
    const findIgnored = (missing: readonly string[]) => {
      const key = JSON.stringify(missing)
      const found = ignoredByKey.get(key) ?? findIgnoredFiles(root, missing)
      ignoredByKey.set(key, found)
      return found
    }
    return { project, answers, findIgnored }
  }
}
