/** The step of `fw dev` that compiles templates: all at the start, then those that changed. Listed in `dev-generate.ts`. */
import { existsSync } from "node:fs"
import { join, relative, sep } from "node:path"
import type { GenerateStep } from "./dev-generate.ts"
import type { Problem } from "./dev-problems.ts"
import type { Project } from "./dev-project.ts"
import { templateProblem } from "./template-problems.ts"
import { compileTemplates, findTemplates, removeOutput, writeTemplate } from "./templates.ts"

/** Keeps what is wrong with each template until it is mended, also while others change. */
export function templatesStep(): GenerateStep {
  const broken = new Map<string, readonly Problem[]>()
  return async (project, changed) => {
    if (changed === null) await compileAll(project, broken)
    else await compileChanged(project, changed, broken)
    return [...broken.values()].flat()
  }
}

async function compileAll({ root }: Project, broken: Map<string, readonly Problem[]>): Promise<void> {
  const { diagnostics } = await compileTemplates(root)
  broken.clear()
  for (const found of diagnostics)
    broken.set(found.file, [...(broken.get(found.file) ?? []), templateProblem(found)])
}

async function compileChanged(
  { root }: Project,
  changed: ReadonlySet<string>,
  broken: Map<string, readonly Problem[]>,
): Promise<void> {
  for (const file of await changedTemplates(root, changed)) {
    if (!existsSync(join(root, file))) {
      broken.delete(file)
      await removeOutput(root, `${file}.ts`)
      continue
    }
    const { diagnostics } = await writeTemplate(root, file)
    if (diagnostics.length === 0) broken.delete(file)
    else broken.set(file, diagnostics.map(templateProblem))
  }
}

/** A directory that was renamed or deleted is told as one change: then every template counts. */
async function changedTemplates(root: string, changed: ReadonlySet<string>): Promise<string[]> {
  const named = [...changed].filter((path) => path.endsWith(".tpl"))
  const directories = [...changed].some((path) => !/\.[a-z]+$/i.test(path))
  if (!directories) return named.map((path) => relative(root, path).split(sep).join("/"))
  const { sources, outputs } = await findTemplates(root)
  return [...new Set([...sources, ...outputs.map((output) => output.slice(0, -".ts".length))])]
}
