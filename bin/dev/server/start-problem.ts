/** Finds out why a program does not start, for errors whose message contains neither the file nor the fix. */
import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { locateFinding } from "../../inspect/checks/finding.ts"
import { checkMain } from "../../inspect/checks/misplaced-files.ts"
import type { ErrorData } from "../../project/error-data.ts"
import { locateProblem, type Problem, toCrashProblem, toProjectPath } from "../../project/problems.ts"
import { findMain, type Project } from "../../project/project.ts"
import { findFixAt } from "../problems/error-fixes.ts"
import { findImportPlace, findMissingPackage, type MissingPackage } from "../problems/missing-package.ts"

/**
 * Returns the problem of a program that did not start.
 *
 * @param inputs absolute paths of the program's files.
 */
export async function findStartProblem(project: Project, inputs: Iterable<string>, error: ErrorData): Promise<Problem> {
  const missingPackage = findMissingPackage(project.root, error.message)
  const knownProblem = missingPackage
    ? await findMissing(project, inputs, missingPackage)
    : await findListen(project, error)
  if (knownProblem) return knownProblem
  const problem = toEndProblem(project.root, error)
  if (problem.file || error.code !== "main") return problem
  // The stack of this error has only frames of fw, so it is not shown.
  const { stack: _, ...rest } = problem
  return { ...rest, file: toProjectPath(project.root, findMain(project) ?? "main.ts") }
}

/**
 * Returns a warning if the main file of the last program was removed, because its settings and routes are gone too.
 */
export function findRemovedMain(lastMain: string | null, currentMain: string | null): Problem | null {
  if (lastMain === null || currentMain !== null) return null
  return {
    message: `${lastMain} is gone, so the program runs without what it set up, such as csrf() and secureHeaders()`,
    fix: "Write it again. Ignore this warning if the project does not need it any more.",
  }
}

/** Returns the problem for an error that ended the program, with the fix if it is known. */
export function toEndProblem(root: string, error: ErrorData): Problem {
  const problem = toCrashProblem(root, error)
  const { file, fix } = problem
  const anyFix =
    fix ?? (file === undefined ? undefined : findFixAt(root, problem, problem.message, readText(join(root, file))))
  return anyFix ? { ...problem, fix: anyFix } : problem
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Returns the problem for a package that is not installed, at its first import. */
async function findMissing(
  { root }: Project,
  inputs: Iterable<string>,
  missingPackage: MissingPackage,
): Promise<Problem | null> {
  for (const path of inputs) {
    const location = findImportPlace(path, await readFile(path, "utf8").catch(() => ""), missingPackage)
    if (location)
      return locateProblem(root, path, location, { message: missingPackage.message, fix: missingPackage.fix })
  }
  return null
}

/** Returns the problem for a `main.ts` that listens itself, before fw can mount the routes. */
async function findListen(project: Project, { message }: ErrorData): Promise<Problem | null> {
  if (!/app\.mount\(\) comes after the first request/.test(message)) return null
  const { root } = project
  const call = (await checkMain(root, findMain(project))).find(({ line, message }) => line && /calls/.test(message))
  return call ? locateFinding(root, call) : null
}
