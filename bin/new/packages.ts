/** Installs the packages of a new project. */
import type { FwError } from "../../lib/errors.ts"
import type { StepReporter } from "../cli/progress.ts"
import type { ToolIo } from "../cli/terminal.ts"
import { newFault } from "../messages/new.ts"
import type { OwnDirectory } from "../system/own-directory.ts"
import { createNpmOptions, retryOnce, runNpm, saysUnreachable } from "../tools/npm.ts"
import { type ProgramEnd, programFailedError } from "../tools/program.ts"

/** Why nothing was installed. */
export interface InstallProblem {
  /** Returns the warning for a project, with a fix. */
  warning(name: string): FwError
}

/**
 * Runs `npm install`. An error is only reported, because the packages can be installed later.
 *
 * @returns null if all packages were installed.
 */
export async function installPackages(
  directory: OwnDirectory,
  options: ToolIo,
  step: StepReporter,
): Promise<InstallProblem | null> {
  const { signal } = options
  const args = ["install", "--include=dev", "--no-audit", "--no-fund", "--loglevel=http", ...retryOnce]
  const unreachable = new AbortController()
  const npmOptions = { ...options, signal: AbortSignal.any([signal, unreachable.signal]) }
  let fetched = 0
  const problem = await runNpm(args, npmOptions, (line) => {
    // The second attempt is the last one for this package. npm would go on with the next, and wait as long for it.
    if (/^npm http fetch GET \S+ attempt 2 failed with [A-Z]/.test(line)) unreachable.abort(newFault("offline"))
    if (!/^npm http fetch GET 200 \S+\.tgz/.test(line)) return
    fetched += 1
    step.note(`${fetched} fetched`)
  }).then(
    (end) => (end.code === 0 ? null : installError(end, options)),
    (error: unknown) => {
      signal.throwIfAborted()
      return error as FwError
    },
  )
  if (!problem) return null
  // An incomplete directory, or a lock file without packages, would disturb the next install.
  for (const name of ["node_modules", "package-lock.json"]) directory.removeEntrySync(name)
  return { warning: (name) => notInstalledError(problem, name) }
}

function installError(end: ProgramEnd, options: ToolIo): FwError {
  if (saysUnreachable(end.stderr)) return newFault("offline")
  const stderr = end.stderr.replace(
    /^npm (?:http|info|warn|verbose) .*\n|^npm error A complete log .*\n|^npm error\s*\n/gm,
    "",
  )
  return programFailedError(createNpmOptions(["install"], options), { ...end, stderr, stdout: "" })
}

function notInstalledError(problem: FwError, name: string): FwError {
  const fix = problem.fix.replace(/, then run this again\.$/, ".")
  return newFault("not_installed", [name, problem.message, fix], { cause: problem })
}
