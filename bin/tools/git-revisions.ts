/** Files of a git revision, without a change of the repository or its working tree. */
import { join } from "node:path"
import type { Io } from "../cli/terminal.ts"
import { elsewhere } from "./git.ts"
import { runProgram, startProgram } from "./program.ts"

type Around = Pick<Io, "env" | "signal">

/** Returns the commit that a revision means; null if there is none. @throws FwError `program_missing` without git. */
export async function commitOf(cwd: string, revision: string, around: Around): Promise<string | null> {
  if (revision.startsWith("-")) return null
  const { code, stdout } = await git(
    cwd,
    ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`],
    around,
  )
  return code === 0 ? stdout.trim() : null
}

/** Returns the text of a file of a revision; null if there is none. @param file relative to the directory. */
export async function fileAt(
  cwd: string,
  revision: string,
  file: string,
  around: Around,
): Promise<string | null> {
  if (revision.startsWith("-")) return null
  const { code, stdout } = await git(cwd, ["show", `${revision}:./${file}`], around)
  return code === 0 ? stdout : null
}

/**
 * Writes the files of a commit to an empty directory. Its index is there too, so that the repository stays as it is.
 *
 * @returns the place of `cwd` in that directory.
 */
export async function checkOut(
  cwd: string,
  commit: string,
  directory: string,
  around: Around,
): Promise<string> {
  const shown = await git(cwd, ["rev-parse", "--show-cdup", "--show-prefix"], around)
  const [up = "", prefix = ""] = shown.stdout.split("\n")
  const top = join(cwd, up)
  const env = { ...cleanEnv(around), GIT_INDEX_FILE: join(directory, "index") }
  const tree = join(directory, "tree")
  for (const args of [
    ["read-tree", commit],
    ["checkout-index", "--all", `--prefix=${tree}/`],
  ])
    await runProgram({ program: "git", args, cwd: top, env, signal: around.signal })
  return join(tree, prefix)
}

function cleanEnv({ env }: Around): Io["env"] {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !elsewhere.test(key)))
}

async function git(cwd: string, args: readonly string[], around: Around) {
  const end = await startProgram({ program: "git", args, cwd, env: cleanEnv(around), signal: around.signal })
    .ended
  around.signal.throwIfAborted()
  return end
}
