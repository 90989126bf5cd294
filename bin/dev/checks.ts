/** Checks of `fw dev` in the background: of the sources, as `fw validate` does without types, and of the types of templates. */
import { outputPath } from "../../lib/template/index.ts"
import type { Finding } from "../inspect/checks/finding.ts"
import { lintProject } from "../inspect/sources.ts"
import { type Problem, problemAt } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { templateProblem } from "../project/template-problems.ts"
import { checkTemplateTypes } from "../project/template-types.ts"
import { findTemplates } from "../project/templates.ts"

/** Returns what `fw validate` finds in the sources without types. */
export async function checkSources(project: Project): Promise<Problem[]> {
  const found = await lintProject(project)
  return found.map((one) => problemOf(project.root, one))
}

/**
 * Returns the type errors of templates; null in a project without templates.
 *
 * @param signal ends the type checker.
 */
export async function checkTemplates({ root }: Project, signal: AbortSignal): Promise<Problem[] | null> {
  const { sources } = await findTemplates(root)
  if (sources.length === 0) return null
  const { diagnostics } = await checkTemplateTypes(root, sources.map(outputPath), signal)
  return diagnostics.map(templateProblem)
}

function problemOf(root: string, { file, line, column, message, fix }: Finding): Problem {
  const mark = line === null ? undefined : { line, ...(column === null ? {} : { column }) }
  return problemAt(root, file, mark, { message, fix })
}
