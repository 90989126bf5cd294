/** Reads files of a git revision without changing the repository or its working tree. */
import { join } from "node:path"
import type { Io } from "../cli/terminal.ts"
import { createGitEnv, runGit } from "./git.ts"
import { type ProgramOptions, runProgram } from "./program.ts"

type GitIo = Pick<Io, "env" | "signal">

/**
 * Returns the commit for a revision; null if there is none.
 *
 * @throws FwError `program_missing` without git.
 */
export async function findCommit(cwd: string, revision: string, io: GitIo): Promise<string | null> {
  if (revision.startsWith("-")) return null
  const { code, stdout } = await runGit(toGit(cwd, ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`], io))
  return code === 0 ? stdout.trim() : null
}

/**
 * Returns the text of a file in a revision; null if there is none.
 *
 * @param file path relative to the directory.
 */
export async function readFileAt(cwd: string, revision: string, file: string, io: GitIo): Promise<string | null> {
  if (revision.startsWith("-")) return null
  const { code, stdout } = await runGit(toGit(cwd, ["show", `${revision}:./${file}`], io))
  return code === 0 ? stdout : null
}

/**
 * Writes the files of a commit into an empty directory. The index is there too, so that the repository does not
 * change.
 *
 * @returns the path that corresponds to `cwd` in that directory.
 */
export async function checkOut(cwd: string, commit: string, directory: string, io: GitIo): Promise<string> {
  const topLevel = await runGit(toGit(cwd, ["rev-parse", "--show-cdup", "--show-prefix"], io))
  const [up = "", prefix = ""] = topLevel.stdout.split("\n")
  const top = join(cwd, up)
  const env = { ...createGitEnv(io.env), GIT_INDEX_FILE: join(directory, "index") }
  const tree = join(directory, "tree")
  for (const args of [
    ["read-tree", commit],
    ["checkout-index", "--all", `--prefix=${tree}/`],
  ])
    await runProgram({ program: "git", args, cwd: top, env, signal: io.signal })
  return join(tree, prefix)
}

function toGit(cwd: string, args: readonly string[], { env, signal }: GitIo): ProgramOptions {
  return { program: "git", args, cwd, env: createGitEnv(env), signal }
}
