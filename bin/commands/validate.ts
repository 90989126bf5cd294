/** `fw validate`: everything that is wrong with a project, without running it. Loaded by the table; MCP calls it too. */

import { fold } from "../layout.ts"
import type { Finding } from "../project/checks/finding.ts"
import { problemAt, problemText } from "../project/dev-problems.ts"
import { checkProject } from "../project/dev-project.ts"
import { validateProject } from "../project/validate.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/project.ts"
import type { Io, View } from "../terminal.ts"
import { listing } from "./routes.ts"

/** What a validation says. */
export interface ValidateData {
  /** Whether there is no error; there may be warnings. */
  readonly valid: boolean
  /** By file and place. */
  readonly problems: readonly Finding[]
  /** Whether handlers were compared with their types, which takes TypeScript in the project. */
  readonly typesChecked: boolean
}

/** The data, and what printing it takes. */
export interface Validated {
  readonly root: string
  readonly data: ValidateData
  /** What was looked at: `12 routes, 3 middleware`. */
  readonly scope: string
  /** Why types were not checked. */
  readonly untyped: string | null
}

/** Checks, and changes nothing. @throws FwError `no_project` where there is none. */
export async function run(
  { appDir }: OptionsOf<typeof specs.validate>,
  { cwd }: Pick<Io, "cwd">,
): Promise<Validated> {
  const project = { root: cwd, appDir }
  checkProject(project)
  const { tree, findings, untyped } = await validateProject(project)
  const { total, middleware } = listing(tree)
  return {
    root: cwd,
    data: {
      valid: findings.every(({ severity }) => severity !== "error"),
      problems: findings,
      typesChecked: untyped === null,
    },
    scope: `${count(total, "route")} and ${count(middleware.length, "middleware", "middleware")}`,
    untyped,
  }
}

/** The result as `--json` and MCP give it. */
export function data(result: Validated): ValidateData {
  return result.data
}

/** 1 where there is an error. */
export function exitCode(result: Validated): number {
  return result.data.valid ? 0 : 1
}

/** Each problem with its lines, then how many there are. */
export function print({ root, data, scope, untyped }: Validated, { style, width }: View): string {
  // A frame is indented, and its lines are numbered.
  const room = Math.max(20, Math.min(200, width - 12))
  const texts = data.problems.map(({ severity, file, line, column, message, fix }) => {
    const mark = line === null ? undefined : { line, ...(column === null ? {} : { column }) }
    return `${problemText(problemAt(root, file, mark, { message, fix }, room), style, severity, width)}\n`
  })
  const of = (severity: Finding["severity"]) =>
    data.problems.filter((one) => one.severity === severity).length
  const [errors, warnings] = [of("error"), of("warning")]
  const counts = [
    ...(errors > 0 ? [style.red(count(errors, "error"))] : []),
    ...(warnings > 0 ? [style.yellow(count(warnings, "warning"))] : []),
  ]
  const result = counts.length > 0 ? counts.join(" and ") : style.green("No problem")
  const types = untyped === null ? "" : style.dim(fold(`Types were not checked: ${untyped}.\n`, width))
  return `${texts.join("")}${result} in ${scope}.\n${types}`
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
