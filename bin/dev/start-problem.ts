/** The reason why a program does not start, if Node's own message names neither the file nor the fix. */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { checkMain } from "../inspect/checks/misplaced-files.ts"
import type { ErrorData } from "../project/error-data.ts"
import { crashProblem, type Problem, problemAt, shownPath } from "../project/problems.ts"
import { mainOf, type Project } from "../project/project.ts"
import { adviceAt } from "./error-advice.ts"
import { importPlace, type MissingPackage, missingPackage } from "./missing-package.ts"

/**
 * Returns the problem of a program that did not start.
 *
 * @param inputs its files, absolute.
 */
export async function startProblem(
  project: Project,
  inputs: Iterable<string>,
  error: ErrorData,
): Promise<Problem> {
  const name = missingPackage(project.root, error.message)
  const found = name ? await missing(project, inputs, name) : await listens(project, error)
  if (found) return found
  const problem = endProblem(project.root, error)
  if (problem.file || error.code !== "main") return problem
  // The stack of this error has only frames of fw.
  const { stack: _, ...rest } = problem
  return { ...rest, file: shownPath(project.root, mainOf(project) ?? "main.ts") }
}

/** Returns a warning if the main file of the program before is gone: all that it set up is gone with it. */
export function lostMain(before: string | null, now: string | null): Problem | null {
  if (before === null || now !== null) return null
  return {
    message: `${before} is gone, so the program runs without what it set up, such as csrf() and secureHeaders()`,
    fix: "Write it again. Ignore this warning if the project does not need it any more.",
  }
}

/** Returns the problem of an error that ended the program, with the fix if one is known. */
export function endProblem(root: string, error: ErrorData): Problem {
  const problem = crashProblem(root, error)
  const { file, fix } = problem
  const help =
    fix ??
    (file === undefined ? undefined : adviceAt(root, problem, problem.message, textOf(join(root, file))))
  return help ? { ...problem, fix: help } : problem
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Returns a problem for a package that is not installed, at its first import. */
async function missing(
  { root }: Project,
  inputs: Iterable<string>,
  name: MissingPackage,
): Promise<Problem | null> {
  for (const path of inputs) {
    const place = importPlace(path, await readFile(path, "utf8").catch(() => ""), name)
    if (place) return problemAt(root, path, place, { message: name.message, fix: name.fix })
  }
  return null
}

/** Returns a problem for a `main.ts` that listens itself, before fw can mount the routes. */
async function listens(project: Project, { message }: ErrorData): Promise<Problem | null> {
  if (!/app\.mount\(\) comes after the first request/.test(message)) return null
  const { root } = project
  const call = (await checkMain(root, mainOf(project))).find(
    ({ line, message }) => line && /calls/.test(message),
  )
  if (!call?.line) return null
  const mark = { line: call.line, ...(call.column ? { column: call.column } : {}) }
  return problemAt(root, call.file, mark, { message: call.message, fix: call.fix })
}
