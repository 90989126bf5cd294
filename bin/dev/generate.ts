/** The steps before a build, which turn a project's files into code. */

import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { DevEntry } from "./bundle/dev-entry.ts"
import { createRoutesStep } from "./routes-step.ts"
import { createTemplatesStep } from "./templates-step.ts"

/** Result of a step. */
export interface GenerateResult {
  /** All current problems, also those that the changed files did not affect. */
  readonly problems: readonly Problem[]
  /** Files that it wrote or removed, absolute. */
  readonly written: readonly string[]
}

/** Writes files that the build needs. Gets the changed files, absolute, or null if all count as changed. */
export type GenerateStep = (project: Project, changed: ReadonlySet<string> | null) => Promise<GenerateResult>

/** The steps of a session. The second reads what the first wrote. */
export interface GenerateSteps {
  readonly templates: GenerateStep
  readonly routes: GenerateStep
}

/** Returns the steps of a session. */
export function createSteps(entry: DevEntry): GenerateSteps {
  return { templates: createTemplatesStep(), routes: createRoutesStep(entry) }
}

/**
 * Runs both steps. If one step fails, the other must still be told about the changes.
 *
 * @param meanwhile runs at the same time as the second step, if the first has no problems. It gets the files that the
 * first step has written.
 */
export async function generateAll(
  { templates, routes }: GenerateSteps,
  project: Project,
  changed: ReadonlySet<string> | null,
  meanwhile: (written: readonly string[]) => Promise<void>,
): Promise<GenerateResult> {
  const first = await templates(project, changed)
  const [, second] = await Promise.all([
    first.problems.length === 0 ? meanwhile(first.written) : undefined,
    routes(project, changed),
  ])
  return {
    problems: [...first.problems, ...second.problems],
    written: [...first.written, ...second.written],
  }
}
