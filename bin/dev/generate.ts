/** The steps before a build, which turn a project's files into code. */

import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { DevEntry } from "./entry.ts"
import { routesStep } from "./routes.ts"
import { templatesStep } from "./templates.ts"

/** Result of a step. */
export interface Generated {
  /** All current problems, also those that the changed files did not affect. */
  readonly problems: readonly Problem[]
  /** Files that it wrote or removed, absolute. */
  readonly written: readonly string[]
}

/** Writes files that the build needs. Gets the changed files, absolute, or null if all count as changed. */
export type GenerateStep = (project: Project, changed: ReadonlySet<string> | null) => Promise<Generated>

/** Returns the steps of a session, in order. Each may read the files of those before it. */
export function makeSteps(entry: DevEntry): readonly GenerateStep[] {
  return [templatesStep(), routesStep(entry)]
}

/** Runs every step. A failing step must not keep the next from learning about changes. */
export async function generateAll(
  steps: readonly GenerateStep[],
  project: Project,
  changed: ReadonlySet<string> | null,
): Promise<Generated> {
  const done: Generated[] = []
  for (const step of steps) done.push(await step(project, changed))
  return {
    problems: done.flatMap(({ problems }) => problems),
    written: done.flatMap(({ written }) => written),
  }
}
