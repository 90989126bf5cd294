/** `fw new`: makes a project. Loaded by the table. */
import { failureData, warningText } from "../failure.ts"
import { Progress } from "../progress.ts"
import { checkNew, makeProject, type NewProject } from "../project/new-project.ts"
import type { Template } from "../project/scaffold.ts"
import { type Choice, choose } from "../prompt.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/project.ts"
import type { Io, View } from "../terminal.ts"

const templates: readonly Choice<Template>[] = [
  { value: "full-stack", label: "Full-stack", hint: "pages, styles, htmx, and an API" },
  { value: "api", label: "API only", hint: "routes that answer with data" },
]

/**
 * Makes it; asks first what it is to be, where somebody can answer.
 *
 * @throws FwError `name`, `exists` or `new_write`; then nothing was made. What can be made up for is a warning instead.
 */
export async function run(
  { name, apiOnly, skipPrompts }: OptionsOf<typeof specs.create>,
  io: Io,
): Promise<NewProject> {
  // Before the question: nobody answers it in vain.
  await checkNew(name, io)
  const ask = io.interactive && !apiOnly && !skipPrompts
  io.stdout.write("\n")
  const template = ask
    ? await choose("What do you want to make?", templates, io)
    : apiOnly
      ? "api"
      : "full-stack"
  return makeProject({ name, template }, io, new Progress(io))
}

/** What was made; warnings as errors are given. */
export function data({ warnings, ...made }: NewProject): unknown {
  return { ...made, warnings: warnings.map(failureData) }
}

/** What could not be done, and what to do next. */
export function print(made: NewProject, { style }: View): string {
  const { name, template, installed, warnings } = made
  const address = `http://localhost:3000${template === "api" ? "/api/health" : ""}`
  const commands = [
    ["npm run dev", `${address}, with every change as you save it`],
    ["npm test", "requests to the application, without a server"],
    ["npm run build", `one executable file, bin/${name}`],
  ] as const
  const lines = commands.map(([command, what]) => `    ${command.padEnd(15)}${style.dim(what)}`.trimEnd())
  const steps = [`    cd ${name}`, ...(installed ? [] : ["    npm install"]), ...lines]
  return `${warnings.map((warning) => `\n${warningText(warning, style)}`).join("")}\n  ${style.bold(name)} is ready.\n\n${steps.join("\n")}\n\n`
}
