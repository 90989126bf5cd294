/** The steps before a build, which generate code from a project's files. */

import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"

/** The result of a step. */
export interface GenerateResult {
  /** All current problems, also those in files that have not changed. */
  readonly problems: readonly Problem[]
  /** Absolute paths of the files that the step wrote or removed. */
  readonly written: readonly string[]
}

/**
 * Writes files that the build needs. The parameter has the absolute paths of the changed files, or null if all
 * files count as changed.
 */
export type GenerateStep = (project: Project, changed: ReadonlySet<string> | null) => Promise<GenerateResult>
