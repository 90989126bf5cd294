/** What is written before a build: the steps that turn a project's files into code. Called by the session on every change. */

import type { Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { DevEntry } from "./entry.ts"
import { routesStep } from "./routes.ts"
import { templatesStep } from "./templates.ts"

/** What a step has done. */
export interface Generated {
  /** What is wrong now, also where the files that changed did not change it. */
  readonly problems: readonly Problem[]
  /** The files that it wrote or removed, absolute. */
  readonly written: readonly string[]
}

/** Writes something that the build needs. Gets the files that changed, absolute, or null where everything counts as changed. */
export type GenerateStep = (project: Project, changed: ReadonlySet<string> | null) => Promise<Generated>

/** The steps of a session, in order: each may read what those before it wrote. */
export function makeSteps(entry: DevEntry): readonly GenerateStep[] {
  return [templatesStep(), routesStep(entry)]
}

/** Runs every step: one that fails must not keep the next from hearing what changed. */
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
