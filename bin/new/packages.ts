/** Installs the packages of a new project. */
import { readFile } from "node:fs/promises"
import type { FwError } from "../../lib/errors.ts"
import type { Step } from "../cli/progress.ts"
import type { ToolIo } from "../cli/terminal.ts"
import { newFault } from "../messages/new.ts"
import { ownManifest } from "../project/own-package.ts"
import type { OwnDirectory } from "../system/own-directory.ts"
import { isUnreachable, npmOrder, runNpm } from "../tools/npm.ts"
import { type ProgramEnd, programFailed } from "../tools/program.ts"
import type { Published } from "./registry-check.ts"

/** The directory, and the source of fw. */
export interface InstallOptions extends ToolIo {
  readonly version: string
  readonly published: Published
}

/** Reason why nothing was installed. */
export interface InstallProblem {
  /** Returns a warning with the fix for a project with this name. */
  warning(name: string): FwError
}

/**
 * Runs `npm install`. An error is only reported, because the project works after a later install. @returns
 * null if everything is installed.
 */
export async function installPackages(
  directory: OwnDirectory,
  options: InstallOptions,
  step: Step,
): Promise<InstallProblem | null> {
  const { published, signal } = options
  const args = ["install", "--include=dev", "--no-audit", "--no-fund", "--loglevel=http"]
  // Without a network npm would try for a minute; its cache may be enough.
  if (published.state === "unreachable") args.push("--prefer-offline", "--fetch-retries=0")
  if (published.state === "ours") await pin(directory, options, published.integrity)
  let fetched = 0
  const problem = await runNpm(args, options, (line) => {
    if (!/^npm http fetch GET 200 \S+\.tgz/.test(line)) return
    fetched += 1
    step.note(`${fetched} fetched`)
  }).then(
    (end) => (end.code === 0 ? null : failure(end, options)),
    (error: unknown) => {
      signal.throwIfAborted()
      return error as FwError
    },
  )
  if (!problem) return null
  // An incomplete directory and a lock without packages would disturb the next install.
  for (const name of ["node_modules", "package-lock.json"]) directory.removeSync(name)
  return { warning: (name) => notInstalled(problem, name) }
}

/**
 * Writes a lock file only with fw: npm adds the rest, and accepts no other tarball for fw than the verified
 * one. npm does not request the manifest of a locked package, so the lock contains all that npm needs of it.
 */
async function pin(directory: OwnDirectory, { version }: InstallOptions, integrity: string): Promise<void> {
  const manifest = JSON.parse(await readFile(directory.at("package.json"), "utf8")) as Record<string, unknown>
  const { name, license, dependencies, devDependencies, engines } = manifest
  const { bin, engines: least } = await ownManifest()
  const root = { name, version: manifest.version, license, dependencies, devDependencies, engines }
  const packages = { "": root, "node_modules/fw": { version, integrity, bin, engines: least } }
  const lock = { name, version: manifest.version, lockfileVersion: 3, requires: true, packages }
  await directory.write("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`)
}

function failure(end: ProgramEnd, options: InstallOptions): FwError {
  if (isUnreachable(end.stderr)) return newFault("offline")
  const stderr = end.stderr.replace(
    /^npm (?:http|info|warn|verbose) .*\n|^npm error A complete log .*\n|^npm error\s*\n/gm,
    "",
  )
  return programFailed(npmOrder(["install"], options), { ...end, stderr, stdout: "" })
}

function notInstalled(problem: FwError, name: string): FwError {
  const fix = problem.fix.replace(/, then run this again\.$/, ".")
  return newFault("not_installed", [name, problem.message, fix], { cause: problem })
}
