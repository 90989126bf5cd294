/** What is written before a build: the steps that turn a project's files into code. Called by the session on every change. */
import type { Problem } from "./dev-problems.ts"
import type { Project } from "./dev-project.ts"
import { routesStep } from "./dev-routes.ts"
import { templatesStep } from "./dev-templates.ts"

/**
 * Writes something that the build needs. Gets the files that changed, absolute, or null at the start, where everything
 * counts as changed; gives what is wrong now, also where these files did not change it.
 */
export type GenerateStep = (
  project: Project,
  changed: ReadonlySet<string> | null,
) => Promise<readonly Problem[]>

/** The steps of a session, in order: each may read what those before it wrote. */
export function makeSteps(): readonly GenerateStep[] {
  return [templatesStep(), routesStep()]
}

/** Runs every step: one that fails must not keep the next from hearing what changed. */
export async function generateAll(
  steps: readonly GenerateStep[],
  project: Project,
  changed: ReadonlySet<string> | null,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const step of steps) problems.push(...(await step(project, changed)))
  return problems
}
