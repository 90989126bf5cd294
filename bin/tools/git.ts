/** Creates git repositories for new projects, and finds the files that git ignores. */
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { programFault } from "../messages/programs.ts"
import { type ProgramEnd, type ProgramOptions, runProgram, startProgram } from "./program.ts"

/** Result of creating a repository. */
export interface GitResult {
  /**
   * `committed`; `initialized` if there is no commit; `outer` if the project is inside another repository; `none`
   * without git.
   */
  readonly state: "committed" | "initialized" | "outer" | "none"
  /** Why nothing was committed. */
  readonly warning?: FwError
}

/** The directories of a new project. */
export interface GitOptions {
  /** The directory of the project. */
  readonly root: string
  /** The directory that will contain the project. */
  readonly parent: string
  readonly name: string
  /** The path from the current directory, for messages: its name or `.`. */
  readonly shown: string
}

/** Matches variables that make git work in another directory, as they are set in hooks. */
const directoryVariables = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|NAMESPACE)$/

/** Returns the environment variables without those that make git work in another directory. */
export function createGitEnv(env: Io["env"]): Io["env"] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !directoryVariables.test(name)))
}

/**
 * Creates the repository and commits all files. An error is only a warning, because the project works without a
 * repository.
 */
export async function initGit(
  { root, parent, name, shown }: GitOptions,
  { env, signal }: Pick<Io, "env" | "signal">,
): Promise<GitResult> {
  const git = (cwd: string, ...args: string[]): ProgramOptions => ({
    program: "git",
    // git must not start background work or ask questions.
    args: ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.safecrlf=false", ...args],
    cwd,
    env: { ...createGitEnv(env), GIT_TERMINAL_PROMPT: "0" },
    signal,
  })
  try {
    const inside = await runGit(git(parent, "rev-parse", "--is-inside-work-tree"))
    if (inside.stdout.trim() === "true") return { state: "outer" }
    await runProgram(git(root, "init", "--quiet"))
    const branch = await runGit(git(root, "config", "init.defaultBranch"))
    if (branch.code !== 0) await runProgram(git(root, "symbolic-ref", "HEAD", "refs/heads/main"))
    await runProgram(git(root, "add", "--all"))
  } catch (error) {
    signal.throwIfAborted()
    return { state: "none", warning: noRepositoryError(error as FwError, shown) }
  }
  const ident = await runGit(git(root, "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT"))
  if (ident.code !== 0) return { state: "initialized", warning: programFault("git_name", [shown]) }
  try {
    // Signing may ask for a passphrase although nobody can enter it, and the user's hooks are not made for this
    // commit.
    const options = ["--quiet", "--no-verify", "--no-gpg-sign"]
    await runProgram(git(root, "commit", ...options, "--message", `Start ${name} with fw`))
    return { state: "committed" }
  } catch (error) {
    signal.throwIfAborted()
    return {
      state: "initialized",
      warning: programFault("git", [(error as FwError).message, shown], { cause: error }),
    }
  }
}

/**
 * Returns those of some files that git ignores; none without git or a repository.
 *
 * @param files paths relative to the directory.
 */
export async function listIgnoredFiles(
  directory: string,
  files: readonly string[],
  { env, signal }: Pick<Io, "env" | "signal">,
): Promise<ReadonlySet<string>> {
  const order = { program: "git", args: ["check-ignore", "-z", "--stdin"], cwd: directory, env, signal }
  try {
    const { code, stdout } = await runGit({
      ...order,
      stdin: { text: files.map((file) => `${file}\0`).join("") },
    })
    return new Set(code === 0 ? stdout.split("\0") : [])
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof FwError) return new Set()
    throw error
  }
}

/** Runs git. Every exit code is a valid result. */
export async function runGit(order: ProgramOptions): Promise<ProgramEnd> {
  const end = await startProgram(order).ended
  order.signal?.throwIfAborted()
  return end
}

function noRepositoryError(error: FwError, name: string): FwError {
  return error.code === "program_missing"
    ? programFault("git.missing", [name], { cause: error })
    : programFault("git.repository", [error.message, name], { cause: error })
}
