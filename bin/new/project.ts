/**
 * Creates a project, completely or not at all. It is created in a temporary directory next to its target, which is
 * renamed at the end. In the current directory, everything is removed if a step fails.
 */
import { existsSync } from "node:fs"
import { lstat, readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { FwError } from "../../lib/errors.ts"
import type { Progress } from "../cli/progress.ts"
import type { Io, ToolIo } from "../cli/terminal.ts"
import { checkGenerated, writeGenerated } from "../generate/generated.ts"
import { fileFault } from "../messages/files.ts"
import { newFault } from "../messages/new.ts"
import { packOwnPackage, readOwnManifest } from "../project/own-package.ts"
import { OwnDirectory } from "../system/own-directory.ts"
import { type GitResult, initGit } from "../tools/git.ts"
import { EmptyDirectory } from "./empty-directory.ts"
import { installPackages } from "./packages.ts"
import { checkName, toProjectName } from "./project-name.ts"
import { type ProjectTemplate, readScaffoldFiles, renderPackageJSON, type ScaffoldOptions } from "./scaffold.ts"

/** The project to create. */
export interface NewProjectOptions {
  /** The name of the directory, or `.` for the current directory. */
  readonly name: string
  readonly template: ProjectTemplate
}

/** The created project. */
export interface NewProject {
  readonly name: string
  /** Absolute path. */
  readonly directory: string
  /** The path from the current directory: its name or `.`. */
  readonly shown: string
  readonly template: ProjectTemplate
  /** The files that were written, relative to the directory. Installed and generated files are not listed. */
  readonly files: readonly string[]
  /** The version of fw in package.json: `file:` with a copy of this command's package. */
  readonly fw: string
  readonly installed: boolean
  readonly git: GitResult["state"]
  /** Steps that failed, with their fixes. */
  readonly warnings: readonly FwError[]
}

/**
 * Checks that a project with this name can be created. `.` is the current directory.
 *
 * @returns the name of the project.
 * @throws FwError `name` or `exists`.
 */
export async function checkNewName(name: string, { cwd }: Pick<Io, "cwd">): Promise<string> {
  if (name !== ".") {
    checkName(name)
    await checkPlace(join(cwd, name), name)
    return name
  }
  const content = await describeContent(cwd)
  if (content !== null) throw fileFault("exists.here", [content])
  return toProjectName(cwd)
}

/**
 * Creates the project.
 *
 * @throws FwError `name`, `exists` or `new_write`. After an error and after Ctrl-C, all changes are undone.
 */
export async function makeProject(
  { name: shown, template }: NewProjectOptions,
  io: ToolIo,
  progress: Progress,
): Promise<NewProject> {
  const name = await checkNewName(shown, io)
  const target = join(io.cwd, shown)
  let staging: OwnDirectory | undefined
  try {
    staging = shown === "." ? EmptyDirectory.open(target) : await OwnDirectory.createNextTo(target)
    const filledProject = await fillProject(staging, { name, template, shown }, io, progress)
    io.signal.throwIfAborted()
    await moveToTarget(staging, target, name)
    return { name, directory: target, shown, template, ...filledProject }
  } catch (error) {
    throw io.signal.aborted ? io.signal.reason : toWriteError(error, name, io.cwd)
  } finally {
    // After success, the directory was renamed and nothing is left. After an error, nothing may be left.
    await staging?.remove()
  }
}

/** Checks that the target does not exist or is an empty directory. */
async function checkPlace(target: string, name: string): Promise<void> {
  const stats = await lstat(target).catch(() => null)
  if (!stats) return
  if (!stats.isDirectory()) throw fileFault("exists.project", [name, "file"])
  const content = await describeContent(target)
  if (content !== null) throw fileFault("exists.project", [name, "full", content])
}

/** Describes the content of a directory; returns null if it is empty. */
async function describeContent(directory: string): Promise<string | null> {
  const [first, ...others] = await readdir(directory)
  if (first === undefined) return null
  return others.length > 0 ? `${first} and ${others.length} more` : first
}

async function moveToTarget(staging: OwnDirectory, target: string, name: string): Promise<void> {
  try {
    await staging.moveTo(target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOTDIR") throw error
    throw fileFault("exists.project", [name, "raced"])
  }
}

function toWriteError(error: unknown, name: string, cwd: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (error instanceof FwError || !syscall) return error
  // The path of the temporary directory would confuse the user.
  const reason = message.replace(/, \w+ '.*$/, "")
  const isFull = code === "ENOSPC" || code === "EDQUOT"
  return newFault("new_write", [name, cwd, reason, isFull], { cause: error })
}

interface FillOptions extends NewProjectOptions {
  /** The path from the current directory: the name or `.`. */
  readonly shown: string
}

type FilledProject = Omit<NewProject, "name" | "directory" | "shown" | "template">

async function fillProject(
  staging: OwnDirectory,
  { name, template, shown }: FillOptions,
  { env, signal }: ToolIo,
  progress: Progress,
): Promise<FilledProject> {
  const root = staging.path
  const inside = { cwd: root, env, signal }
  const { devDependencies: versions, version } = await readOwnManifest()
  const options = { name, template, versions }
  const { files, fw } = await progress.runStep(
    "Writing files",
    async () => {
      const written = await writeFiles(staging, options, signal)
      const generated = await writeGenerated({ root: inside.cwd, appDir: "app" })
      await checkGenerated(inside.cwd, generated, inside.signal)
      return written
    },
    ({ files }) => `${files.length} files written`,
  )
  progress.report(`fw ${version} packed into vendor/`)
  const installed = await progress.runStep(
    "Installing packages",
    (step) => installPackages(staging, inside, step),
    (problem) => (problem ? null : "Packages installed"),
  )
  const git = await progress.runStep(
    "Making a git repository",
    () => initGit({ root, parent: dirname(root), name, shown }, { env, signal }),
    ({ state }) => gitLines[state],
  )
  const warnings = [installed?.warning(shown), git.warning].filter((warning) => warning !== undefined)
  return { files, fw, installed: installed === null, git: git.state, warnings }
}

const gitLines: Readonly<Record<GitResult["state"], string | null>> = {
  committed: "Git repository with a first commit",
  initialized: "Git repository, without a commit yet",
  outer: "Part of the git repository around it",
  none: null,
}

/**
 * The settings that belong to the root of a workspace, each with the file by which the workspace is recognized. A
 * package inside the workspace must not have them.
 */
const workspaceFiles = new Map([
  ["pnpm-workspace.yaml", "pnpm-workspace.yaml"],
  [".yarnrc.yml", "yarn.lock"],
])

function isBelow(file: string | undefined, directory: string): boolean {
  if (file === undefined) return false
  if (existsSync(join(directory, file))) return true
  const above = dirname(directory)
  return above !== directory && isBelow(file, above)
}

async function writeFiles(
  staging: OwnDirectory,
  options: ScaffoldOptions,
  signal: AbortSignal,
): Promise<{ files: string[]; fw: string }> {
  const scaffoldFiles = await readScaffoldFiles(options)
  const files = scaffoldFiles.filter(({ file }) => !isBelow(workspaceFiles.get(file), dirname(staging.path)))
  const { name, bytes } = await packOwnPackage()
  const fw = `file:vendor/${name}`
  files.push({ file: `vendor/${name}`, content: bytes })
  files.push({ file: "package.json", content: renderPackageJSON(options, fw) })
  for (const { file, content } of files) {
    signal.throwIfAborted()
    await staging.write(file, content)
  }
  return { files: files.map(({ file }) => file).sort(), fw }
}
