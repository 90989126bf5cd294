/** Checks of `fw dev` in the background: of the sources, as `fw validate` does without types, and of the types. */
import { outputPath } from "../../lib/template/index.ts"
import type { Finding } from "../inspect/checks/finding.ts"
import { typeFix } from "../inspect/checks/project-types.ts"
import { unansweredPath } from "../inspect/links/check-links.ts"
import { lintProject, readSources } from "../inspect/sources.ts"
import { type Problem, problemAt } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { templateProblem } from "../project/template-problems.ts"
import { checkTypes as readTypes } from "../project/template-types.ts"
import { findTemplates } from "../project/templates.ts"

/** Most type errors to show: one wrong type can have hundreds. */
const mostTypeErrors = 20
const more = "fw validate lists all of them."

/** Returns what `fw validate` finds in the sources without types. @param signal ends the checks. */
export async function checkSources(project: Project, signal?: AbortSignal): Promise<Problem[]> {
  const found = await lintProject(project, signal)
  return found.map((one) => problemOf(project.root, one))
}

/** Returns the reason why nothing answers a request; null if something does, or may. */
export async function explainUnanswered(
  project: Project,
  method: string,
  path: string,
): Promise<Problem | null> {
  const read = await readSources(project, () => null)
  const found = await unansweredPath(project.root, read, { method, path })
  return found && { message: found.what, fix: found.fix }
}

/**
 * Returns the type errors of templates and of other modules. Types of tests are left out, because no request runs them.
 *
 * @param signal ends the type checker.
 */
export async function checkTypes({ root }: Project, signal: AbortSignal): Promise<Problem[]> {
  const { sources } = await findTemplates(root)
  const { diagnostics, modules } = await readTypes(root, sources.map(outputPath), signal)
  const problems = [
    ...diagnostics.map((one) => ({ fix: fixOf(root, one.file, one.message), ...templateProblem(one) })),
    ...modules.map(({ file, text, line, column }) =>
      problemAt(root, file, { line, column }, { message: text, fix: fixOf(root, file, text) }),
    ),
  ]
  const rest = problems.length - mostTypeErrors
  if (rest <= 0) return problems
  return [...problems.slice(0, mostTypeErrors), { message: `there are ${rest} more type errors`, fix: more }]
}

function fixOf(root: string, file: string, message: string): string {
  return typeFix(Number(/ \(TS(\d+)\)/.exec(message)?.[1]), message, { root, file })
}

function problemOf(root: string, { file, line, column, message, fix }: Finding): Problem {
  const mark = line === null ? undefined : { line, ...(column === null ? {} : { column }) }
  return problemAt(root, file, mark, { message, fix })
}
