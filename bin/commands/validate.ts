/** `fw validate`: finds the mistakes of a project without running it. */

import type { RouteTree } from "../../lib/tree.ts"
import { foldLines } from "../cli/layout.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io, View } from "../cli/terminal.ts"
import { createCSRFFinder } from "../inspect/checks/csrf.ts"
import { type Finding, locateFinding } from "../inspect/checks/finding.ts"
import { checkOfferedRoutes } from "../inspect/checks/mcp-routes.ts"
import { findRegisteredConflicts } from "../inspect/checks/registered-conflicts.ts"
import { checkSecurity } from "../inspect/checks/security.ts"
import { comparePositions, validateProject } from "../inspect/validate.ts"
import { formatProblem } from "../project/problems.ts"
import { checkProject, findMain, type Project } from "../project/project.ts"
import type * as specs from "../specs/project.ts"
import { readListedTree, toListing } from "./routes.ts"

/** A problem and the lines around it. */
export interface ValidateProblem extends Finding {
  /** The lines around the problem, with a mark below it; null if its line is not known. */
  readonly frame: string | null
}

/** The result of `fw validate`. */
export interface ValidateData {
  /** True if there are no errors; there may be warnings. */
  readonly valid: boolean
  /** The number of all errors, including those that limit and offset leave out. */
  readonly errors: number
  readonly warnings: number
  /** The problems that limit and offset select, sorted by file and position. */
  readonly problems: readonly ValidateProblem[]
  /** Numbers of checked items. `files` are those whose types were checked. */
  readonly checked: {
    readonly routes: number
    readonly middleware: number
    readonly templates: number
    readonly files: number
  }
  /** True if types were checked, for which the project needs TypeScript. */
  readonly typesChecked: boolean
  /**
   * Why types were not checked, or only those of handlers and templates, and the fix; null if all types were
   * checked.
   */
  readonly untyped: { readonly message: string; readonly fix: string } | null
}

/** The data, and values for printing it. */
export interface ValidationResult {
  readonly root: string
  readonly data: ValidateData
  readonly offset: number
}

/** The longest line of a code frame in the data, in characters. A terminal has its own width. */
const maxFrameWidth = 120

/**
 * Checks the project. Changes nothing.
 *
 * @throws FwError `no_project` outside a project.
 */
export async function run(
  { appDir, security, strict: isStrict, limit, offset }: OptionsOf<typeof specs.validate>,
  { cwd }: Pick<Io, "cwd">,
): Promise<ValidationResult> {
  const project = { root: cwd, appDir }
  checkProject(project)
  const checked = await validateProject(project, { isStrict })
  const { tree, findings: checkFindings, untyped, templates, typedFiles } = checked
  const guardFindings = security ? await findSecurityProblems(project, tree) : []
  // With --security, a route without a guard is reported as an error already.
  const offeredFindings = (await findOfferedProblems(project, tree)).filter(
    ({ code }) => !security || code !== "mcp_unguarded",
  )
  const listedTree = await readListedTree(project, tree)
  const findings = [
    ...checkFindings,
    ...guardFindings,
    ...offeredFindings,
    ...findRegisteredConflicts(tree, listedTree),
  ].sort(comparePositions)
  const { total, middleware } = toListing(listedTree)
  const errors = findings.filter(({ severity }) => severity === "error").length
  const data: ValidateData = {
    valid: errors === 0,
    errors,
    warnings: findings.length - errors,
    problems: findings.slice(offset, offset + limit).map((found) => {
      return { ...found, frame: locateFinding(cwd, found, maxFrameWidth).frame ?? null }
    }),
    checked: { routes: total, middleware: middleware.length, templates, files: typedFiles },
    typesChecked: untyped === null,
    untyped: untyped ? { message: untyped.untyped, fix: untyped.fix } : typedFiles > 0 ? null : partlyCheckedNote,
  }
  return { root: cwd, data, offset }
}

/** Returns the findings about routes that change data. Loads the type reader only now, because it is large. */
async function findSecurityProblems(project: Project, tree: RouteTree): Promise<Finding[]> {
  const { readProjectGuards } = await import("../openapi/project-guards.ts")
  const { routes, untyped } = await readProjectGuards(project, tree)
  return checkSecurity(routes, untyped === null, createCSRFFinder(project.root, findMain(project)))
}

/**
 * Returns the findings about routes that language models may call. Types are read only if there are such routes.
 */
async function findOfferedProblems(project: Project, tree: RouteTree): Promise<Finding[]> {
  if (!tree.routes.some(({ mcp }) => mcp)) return []
  const { readOfferedRoutes } = await import("../openapi/offered-routes.ts")
  return checkOfferedRoutes(await readOfferedRoutes(project, tree))
}

const partlyCheckedNote = {
  message: "fw is not installed in the project, so only the types of handlers and templates were checked",
  fix: "Install the project's packages: npm install",
}

/** Returns the result for `--json` and MCP. */
export function data(result: ValidationResult): ValidateData {
  return result.data
}

/** Returns 1 if there are errors. */
export function exitCode(result: ValidationResult): number {
  return result.data.valid ? 0 : 1
}

/** Returns each problem with its lines, and the totals. */
export function print({ root, data, offset }: ValidationResult, { style, width }: View): string {
  // 12 columns are for the indentation and the line numbers.
  const frameWidth = Math.max(20, Math.min(200, width - 12))
  const { problems, errors, warnings } = data
  const texts = problems.map((found) => {
    return `${formatProblem(locateFinding(root, found, frameWidth), style, found.severity, width)}\n`
  })
  const counts = [
    ...(errors > 0 ? [style.red(formatCount(errors, "error"))] : []),
    ...(warnings > 0 ? [style.yellow(formatCount(warnings, "warning"))] : []),
  ]
  const result = counts.length > 0 ? counts.join(" and ") : style.green("No problem")
  return `${texts.join("")}${result} in ${describeScope(data)}.\n${formatNotes(data, offset, width, style)}`
}

/** Returns a text such as `12 routes, 3 middleware and the types of 40 files`. */
function describeScope({ checked: { routes, middleware, templates, files } }: ValidateData): string {
  const parts = [
    formatCount(routes, "route"),
    formatCount(middleware, "middleware", "middleware"),
    ...(templates > 0 ? [formatCount(templates, "template")] : []),
    ...(files > 0 ? [`the types of ${formatCount(files, "file")}`] : []),
  ]
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`
}

/** Returns notes about problems that are not listed and types that were not checked. */
function formatNotes(
  { problems, errors, warnings, untyped, typesChecked }: ValidateData,
  offset: number,
  width: number,
  style: View["style"],
): string {
  const texts: string[] = []
  const all = errors + warnings
  const end = offset + problems.length
  if (problems.length < all) {
    const next = end < all ? ` For the next ones: fw validate --offset ${end}` : ""
    texts.push(`Shown: ${problems.length === 0 ? "none" : `${offset + 1} to ${end}`} of ${all} problems.${next}`)
  }
  if (untyped) texts.push(`${typesChecked ? "" : "Types were not checked: "}${untyped.message}. ${untyped.fix}`)
  return texts.map((text) => style.dim(foldLines(`${text}\n`, width))).join("")
}

function formatCount(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
