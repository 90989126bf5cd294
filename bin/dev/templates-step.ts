/** The step of `fw dev` that compiles templates: all of them at the start, later the changed ones. */
import { existsSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { outputPath } from "../../template/index.ts"
import type { Problem } from "../project/problems.ts"
import { toTemplateProblem } from "../project/template-problems.ts"
import { compileTemplates, findTemplates, removeOutput, writeTemplate } from "../project/templates.ts"
import type { GenerateStep } from "./generate.ts"

/**
 * Returns the step. It stores the problems of each template until they are fixed, also while other templates
 * change.
 */
export function createTemplatesStep(): GenerateStep {
  const problemsByFile = new Map<string, readonly Problem[]>()
  return async ({ root }, changed) => {
    const written = await (changed === null
      ? compileAll(root, problemsByFile)
      : compileChanged(root, changed, problemsByFile))
    return { problems: [...problemsByFile.values()].flat(), written: written.map((file) => join(root, file)) }
  }
}

type TemplateProblems = Map<string, readonly Problem[]>

function setProblems(problemsByFile: TemplateProblems, file: string, problems: readonly Problem[]): void {
  if (problems.length === 0) problemsByFile.delete(file)
  else problemsByFile.set(file, problems)
}

/**
 * Compiles all templates.
 *
 * @returns the modules that were written.
 */
async function compileAll(root: string, problemsByFile: TemplateProblems): Promise<readonly string[]> {
  const { diagnostics, written } = await compileTemplates(root)
  problemsByFile.clear()
  for (const diagnostic of diagnostics)
    problemsByFile.set(diagnostic.file, [...(problemsByFile.get(diagnostic.file) ?? []), toTemplateProblem(diagnostic)])
  return written
}

/**
 * Compiles changed templates.
 *
 * @returns the modules that were written or removed.
 */
async function compileChanged(root: string, changed: ReadonlySet<string>, problemsByFile: TemplateProblems) {
  const written: string[] = []
  for (const file of await findChangedTemplates(root, changed)) {
    if (!existsSync(join(root, file))) {
      problemsByFile.delete(file)
      await removeOutput(root, outputPath(file))
      written.push(outputPath(file))
      continue
    }
    const { diagnostics, output, change } = await writeTemplate(root, file)
    setProblems(problemsByFile, file, diagnostics.map(toTemplateProblem))
    if (change === "written") written.push(output)
  }
  return written
}

/**
 * Returns the changed templates. A renamed or deleted directory is reported as a single change; all templates count
 * as changed then.
 */
async function findChangedTemplates(root: string, changed: ReadonlySet<string>): Promise<string[]> {
  const changedFiles = [...changed].filter((path) => path.endsWith(".tpl"))
  const hasDirectory = [...changed].some((path) => !/\.[a-z]+$/i.test(path))
  if (!hasDirectory) return changedFiles.map((path) => relative(root, path).split(sep).join("/"))
  const { sources, outputs } = await findTemplates(root)
  return [...new Set([...sources, ...outputs.map((output) => output.slice(0, -".ts".length))])]
}
