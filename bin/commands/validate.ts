/** `fw validate`: everything that is wrong with a project, without running it. Loaded by the table; MCP calls it too. */

import { fold } from "../layout.ts"
import type { Finding } from "../project/checks/finding.ts"
import { type Problem, problemAt, problemText } from "../project/dev-problems.ts"
import { checkProject } from "../project/dev-project.ts"
import { validateProject } from "../project/validate.ts"
import type { OptionsOf } from "../spec.ts"
import type * as specs from "../specs/project.ts"
import type { Io, View } from "../terminal.ts"
import { listing } from "./routes.ts"

/** One problem, with the lines of its place. */
export interface ValidateProblem extends Finding {
  /** The lines around the place, with a mark under it; null where there is no line. */
  readonly frame: string | null
}

/** What a validation says. */
export interface ValidateData {
  /** Whether there is no error; there may be warnings. */
  readonly valid: boolean
  /** How many there are in all. */
  readonly errors: number
  readonly warnings: number
  /** The part that was asked for by limit and offset, in the order of file and place. */
  readonly problems: readonly ValidateProblem[]
  /** How many of each were looked at. `files` are those whose types were checked. */
  readonly checked: {
    readonly routes: number
    readonly middleware: number
    readonly templates: number
    readonly files: number
  }
  /** Whether types were checked, which takes TypeScript in the project. */
  readonly typesChecked: boolean
  /** Why types were not checked, or of handlers and templates only, and what to do; null where all were. */
  readonly untyped: { readonly message: string; readonly fix: string } | null
}

/** The data, and what printing it takes. */
export interface Validated {
  readonly root: string
  readonly data: ValidateData
  readonly offset: number
}

/** Characters of a line of a frame in data. In a terminal it depends on the width. */
const room = 120

/** Checks, and changes nothing. @throws FwError `no_project` where there is none. */
export async function run(
  { appDir, limit, offset }: OptionsOf<typeof specs.validate>,
  { cwd }: Pick<Io, "cwd">,
): Promise<Validated> {
  const project = { root: cwd, appDir }
  checkProject(project)
  const { tree, findings, untyped, templates, typedFiles } = await validateProject(project)
  const { total, middleware } = listing(tree)
  const errors = findings.filter(({ severity }) => severity === "error").length
  const data: ValidateData = {
    valid: errors === 0,
    errors,
    warnings: findings.length - errors,
    problems: findings.slice(offset, offset + limit).map((found) => {
      return { ...found, frame: shownProblem(cwd, found, room).frame ?? null }
    }),
    checked: { routes: total, middleware: middleware.length, templates, files: typedFiles },
    typesChecked: untyped === null,
    untyped: untyped ? { message: untyped.untyped, fix: untyped.fix } : typedFiles > 0 ? null : partly,
  }
  return { root: cwd, data, offset }
}

const partly = {
  message: "fw is not installed in the project, so only the types of handlers and templates were checked",
  fix: "Install the project's packages: npm install",
}

function shownProblem(root: string, { file, line, column, message, fix }: Finding, width: number): Problem {
  const mark = line === null ? undefined : { line, ...(column === null ? {} : { column }) }
  return problemAt(root, file, mark, { message, fix }, width)
}

/** The result as `--json` and MCP give it. */
export function data(result: Validated): ValidateData {
  return result.data
}

/** 1 where there is an error. */
export function exitCode(result: Validated): number {
  return result.data.valid ? 0 : 1
}

/** Each problem with its lines, then how many there are, and of what. */
export function print({ root, data, offset }: Validated, { style, width }: View): string {
  // A frame is indented, and its lines are numbered.
  const wide = Math.max(20, Math.min(200, width - 12))
  const { problems, errors, warnings } = data
  const texts = problems.map((found) => {
    return `${problemText(shownProblem(root, found, wide), style, found.severity, width)}\n`
  })
  const counts = [
    ...(errors > 0 ? [style.red(count(errors, "error"))] : []),
    ...(warnings > 0 ? [style.yellow(count(warnings, "warning"))] : []),
  ]
  const result = counts.length > 0 ? counts.join(" and ") : style.green("No problem")
  return `${texts.join("")}${result} in ${scopeOf(data)}.\n${notes(data, offset, width, style)}`
}

/** `12 routes, 3 middleware and the types of 40 files` */
function scopeOf({ checked: { routes, middleware, templates, files } }: ValidateData): string {
  const parts = [
    count(routes, "route"),
    count(middleware, "middleware", "middleware"),
    ...(templates > 0 ? [count(templates, "template")] : []),
    ...(files > 0 ? [`the types of ${count(files, "file")}`] : []),
  ]
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`
}

/** What is not shown, and what was not checked. */
function notes(
  { problems, errors, warnings, untyped, typesChecked }: ValidateData,
  offset: number,
  width: number,
  style: View["style"],
): string {
  const texts: string[] = []
  const all = errors + warnings
  const end = offset + problems.length
  if (problems.length < all) {
    const next = end < all ? ` The next ones: fw validate --offset ${end}` : ""
    texts.push(
      `These are ${problems.length === 0 ? "none" : `${offset + 1} to ${end}`} of ${all} problems.${next}`,
    )
  }
  if (untyped)
    texts.push(`${typesChecked ? "" : "Types were not checked: "}${untyped.message}. ${untyped.fix}`)
  return texts.map((text) => style.dim(fold(`${text}\n`, width))).join("")
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
