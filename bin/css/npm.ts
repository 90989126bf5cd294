/** The CSS compiler out of npm packages, for where its release cannot be reached: the same version, every package by its digest. Called by css-binary. */
import { readdir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { cssFault } from "../messages/css.ts"
import { makeDirectory } from "../system/directories.ts"
import { OwnDirectory } from "../system/own-directory.ts"
import { runNpm } from "../tools/npm.ts"

/** Its package.json, its lock file, which holds the digests, and the module that starts it. */
const source = fileURLToPath(new URL("../../vendor/css/", import.meta.url))

/** The module that starts the compiler which is installed in a directory. */
export function npmCompiler(directory: string): string {
  return join(directory, "compiler.mjs")
}

/** How a compiler is run: a program, or a module by this Node. */
export function compilerOrder(
  path: string,
  args: readonly string[],
): { program: string; args: readonly string[] } {
  return /\.[cm]?js$/.test(path)
    ? { program: process.execPath, args: [path, ...args] }
    : { program: path, args }
}

/**
 * Installs it: whole, or not at all.
 *
 * @throws FwError `css_npm` with what npm said.
 */
export async function installFromNpm(
  directory: string,
  { env, signal }: Pick<Io, "env" | "signal">,
): Promise<void> {
  await makeDirectory({ root: null, path: dirname(directory), code: "css_cache" })
  const own = await OwnDirectory.nextTo(directory)
  try {
    for (const name of await readdir(source)) await own.copy(join(source, name), name)
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    const end = await runNpm(args, { cwd: own.path, env, signal })
    if (end.code !== 0) throw failed(end.output)
    await own.become(directory)
  } catch (error) {
    // A directory of that name that is whole: another install was first.
    const isThere = await stat(npmCompiler(directory)).then(
      () => true,
      () => false,
    )
    if (!isThere || signal.aborted) throw error
  } finally {
    await own.remove()
  }
}

function failed(said: string): FwError {
  const line = said.split("\n").find((text) => /\S/.test(text)) ?? "npm ended without a message"
  return cssFault("css_npm", [line.trim()])
}
