/** `fw new`: creates a project. */
import { FwError } from "../../lib/errors.ts"
import { formatWarning, toFailureData } from "../cli/failure.ts"
import { Progress } from "../cli/progress.ts"
import { askText, type Choice, choose } from "../cli/prompt.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { usageError } from "../messages/usage.ts"
import { checkNewName, makeProject, type NewProject } from "../new/project.ts"
import type { ProjectTemplate } from "../new/scaffold.ts"
import type * as specs from "../specs/project.ts"

const templates: readonly Choice<ProjectTemplate>[] = [
  { value: "full-stack", label: "Full-stack", hint: "pages, styles, htmx, and an API" },
  { value: "api", label: "API only", hint: "routes that return data" },
]

/** The suggested name of a new project. */
const suggestedName = "my-app"

/**
 * Creates a project. On a terminal, asks for its name and its type first.
 *
 * @throws FwError `name`, `exists` or `new_write`; nothing was created then. Problems that can be fixed afterwards
 * are warnings. UsageError `missing_argument` for a missing name, if there is no terminal to ask.
 */
export async function run(
  { name: requestedName, apiOnly, skipPrompts }: OptionsOf<typeof specs.create>,
  io: Io,
): Promise<NewProject> {
  const mayAsk = io.interactive && !skipPrompts
  if (requestedName === undefined && !mayAsk) throw usageError("missing_argument", ["fw new", "name"])
  // Checked before the questions, whose answers would be lost.
  if (requestedName !== undefined) await checkNewName(requestedName, io)
  io.stdout.write("\n")
  const name = requestedName ?? (await askName(io))
  const asksTemplate = mayAsk && !apiOnly
  const template = asksTemplate
    ? await choose("What do you want to create?", templates, io)
    : apiOnly
      ? "api"
      : "full-stack"
  return makeProject({ name, template }, io, new Progress(io))
}

/** Asks for a name until a project with it can be created. */
function askName(io: Io): Promise<string> {
  const check = async (name: string) => {
    const problem = await checkNewName(name, io).then(
      () => null,
      (error: unknown) => error,
    )
    if (problem !== null && !(problem instanceof FwError)) throw problem
    return problem?.message ?? null
  }
  return askText("What is the name of the project?", { suggested: suggestedName, check }, io)
}

/** Returns the result for `--json`. Warnings have the form of errors. */
export function data({ warnings, shown: _, ...project }: NewProject): unknown {
  return { ...project, warnings: warnings.map(toFailureData) }
}

/** Returns the warnings and the next steps. */
export function print(project: NewProject, { style }: View): string {
  const { name, shown, template, installed, warnings } = project
  const address = `http://localhost:3000${template === "api" ? "/api/health" : ""}`
  const commands = [
    ["npm run dev", `${address}; every change shows as you save it`],
    ["npm test", "test the application, without a server"],
    ["npm run build", `one executable file, bin/${name}`],
  ] as const
  const lines = commands.map(([command, description]) => `    ${command.padEnd(15)}${style.dim(description)}`.trimEnd())
  const steps = [...(shown === "." ? [] : [`    cd ${shown}`]), ...(installed ? [] : ["    npm install"]), ...lines]
  return `${warnings.map((warning) => `\n${formatWarning(warning, style)}`).join("")}\n  ${style.bold(name)} is ready.\n\n${steps.join("\n")}\n\n`
}
