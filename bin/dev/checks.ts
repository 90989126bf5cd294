/**
 * The checks that `fw dev` runs in the background: the checks of `fw validate` that need no types, and a type
 * check.
 */
import { outputPath } from "../../template/index.ts"
import { locateFinding } from "../inspect/checks/finding.ts"
import { findTypeFix } from "../inspect/checks/project-types.ts"
import { findUnansweredReason } from "../inspect/links/check-links.ts"
import { lintProject, readSources } from "../inspect/project-sources.ts"
import { locateProblem, type Problem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { toTemplateProblem } from "../project/template-problems.ts"
import { checkBrowserTypes, checkTypes as readTypes } from "../project/template-types.ts"
import { findTemplates } from "../project/templates.ts"

/** The largest number of type errors to show, because one wrong type can cause hundreds. */
const maxTypeErrors = 20
const moreFix = "fw validate lists all of them."

/**
 * Returns the findings of `fw validate` that need no types.
 *
 * @param signal stops the checks.
 */
export async function checkSources(project: Project, signal?: AbortSignal): Promise<Problem[]> {
  const found = await lintProject(project, signal)
  return found.map((one) => locateFinding(project.root, one))
}

/** Returns the reason why no route answers a request; null if one does or may do so. */
export async function explainUnanswered(project: Project, method: string, path: string): Promise<Problem | null> {
  const sources = await readSources(project)
  const finding = await findUnansweredReason(project.root, sources, { method, path })
  return finding && { message: finding.message, fix: finding.fix }
}

/**
 * Returns the type errors of templates and other modules. Tests are left out, because no request runs them.
 *
 * @param signal stops the type checker.
 */
export async function checkTypes({ root }: Project, signal: AbortSignal): Promise<Problem[]> {
  const { sources } = await findTemplates(root)
  const [{ diagnostics, modules }, browser] = await Promise.all([
    readTypes(root, sources.map(outputPath), signal),
    checkBrowserTypes(root, signal),
  ])
  const problems = [
    ...diagnostics.map((one) => ({ fix: findFix(root, one.file, one.message), ...toTemplateProblem(one) })),
    ...[...modules, ...browser].map(({ file, text, line, column }) =>
      locateProblem(root, file, { line, column }, { message: text, fix: findFix(root, file, text) }),
    ),
  ]
  const hiddenCount = problems.length - maxTypeErrors
  if (hiddenCount <= 0) return problems
  return [...problems.slice(0, maxTypeErrors), { message: `there are ${hiddenCount} more type errors`, fix: moreFix }]
}

function findFix(root: string, file: string, message: string): string {
  return findTypeFix(Number(/ \(TS(\d+)\)/.exec(message)?.[1]), message, { root, file })
}
