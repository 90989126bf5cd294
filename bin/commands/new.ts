/** `fw new`: creates a project. */
import { failureData, warningText } from "../cli/failure.ts"
import { Progress } from "../cli/progress.ts"
import { type Choice, choose } from "../cli/prompt.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { checkNew, makeProject, type NewProject } from "../new/project.ts"
import type { Template } from "../new/scaffold.ts"
import type * as specs from "../specs/project.ts"

const templates: readonly Choice<Template>[] = [
  { value: "full-stack", label: "Full-stack", hint: "pages, styles, htmx, and an API" },
  { value: "api", label: "API only", hint: "routes that return data" },
]

/**
 * Creates a project. Asks for its kind first, if there is a terminal.
 *
 * @throws FwError `name`, `exists` or `new_write`; nothing was created then. Problems that can be fixed
 * afterwards are warnings.
 */
export async function run(
  { name, apiOnly, skipPrompts }: OptionsOf<typeof specs.create>,
  io: Io,
): Promise<NewProject> {
  // Before the question, so that nobody answers it for nothing.
  await checkNew(name, io)
  const ask = io.interactive && !apiOnly && !skipPrompts
  io.stdout.write("\n")
  const template = ask
    ? await choose("What do you want to create?", templates, io)
    : apiOnly
      ? "api"
      : "full-stack"
  return makeProject({ name, template }, io, new Progress(io))
}

/** Returns the result that `--json` prints, with warnings in the shape of errors. */
export function data({ warnings, ...made }: NewProject): unknown {
  return { ...made, warnings: warnings.map(failureData) }
}

/** Returns the warnings, and the next steps. */
export function print(made: NewProject, { style }: View): string {
  const { name, template, installed, warnings } = made
  const address = `http://localhost:3000${template === "api" ? "/api/health" : ""}`
  const commands = [
    ["npm run dev", `${address}; every change shows as you save it`],
    ["npm test", "test the application, without a server"],
    ["npm run build", `one executable file, bin/${name}`],
  ] as const
  const lines = commands.map(([command, what]) => `    ${command.padEnd(15)}${style.dim(what)}`.trimEnd())
  const steps = [`    cd ${name}`, ...(installed ? [] : ["    npm install"]), ...lines]
  return `${warnings.map((warning) => `\n${warningText(warning, style)}`).join("")}\n  ${style.bold(name)} is ready.\n\n${steps.join("\n")}\n\n`
}
