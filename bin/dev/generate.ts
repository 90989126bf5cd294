/** The steps before a build, which generate code from a project's files. */

import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { DevEntry } from "./bundle/dev-entry.ts"
import { createRoutesStep } from "./routes-step.ts"
import { createTemplatesStep } from "./templates-step.ts"

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

/** The steps of a session. The routes step reads what the templates step wrote. */
export interface GenerateSteps {
  readonly templates: GenerateStep
  readonly routes: GenerateStep
}

/** Returns the steps of a session. */
export function createSteps(entry: DevEntry): GenerateSteps {
  return { templates: createTemplatesStep(), routes: createRoutesStep(entry) }
}

/**
 * Runs both steps. The second one runs even if the first fails, because it must know the changes too.
 *
 * @param runMeanwhile runs together with the second step, if the first one has no problems. It gets the files that the
 * first step has written.
 */
export async function generateAll(
  { templates, routes }: GenerateSteps,
  project: Project,
  changed: ReadonlySet<string> | null,
  runMeanwhile: (written: readonly string[]) => Promise<void>,
): Promise<GenerateResult> {
  const first = await templates(project, changed)
  const [, second] = await Promise.all([
    first.problems.length === 0 ? runMeanwhile(first.written) : undefined,
    routes(project, changed),
  ])
  return {
    problems: [...first.problems, ...second.problems],
    written: [...first.written, ...second.written],
  }
}
