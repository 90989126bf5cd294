/**
 * Installs the CSS compiler from npm packages, if its release cannot be reached. A lock file has the digest of
 * every package.
 */
import { readFileSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { cssFault } from "../messages/css.ts"
import { makeDirectory } from "../system/directories.ts"
import { OwnDirectory } from "../system/own-directory.ts"
import { packageDirectory } from "../system/package.ts"
import { retryOnce, runNpm } from "../tools/npm.ts"

/**
 * The directory that is copied: a package.json, its lock file with the digests, and the module that starts the
 * compiler.
 */
const packageSource = join(packageDirectory, "vendor/css")

/** Returns the path of the module that starts the compiler. */
export function npmCompilerPath(directory: string): string {
  return join(directory, "compiler.mjs")
}

/** Returns the compiler that the project has as a package, in whatever version; undefined if there is none. */
export function findProjectCompiler(cwd: string): string | undefined {
  try {
    const file = createRequire(join(cwd, "package.json")).resolve("@tailwindcss/cli/package.json")
    const { bin } = JSON.parse(readFileSync(file, "utf8")) as { bin: string | Record<string, string> }
    const path = typeof bin === "string" ? bin : Object.values(bin)[0]
    return path === undefined ? undefined : join(dirname(file), path)
  } catch {
    return undefined
  }
}

/** Returns the command that runs a compiler: itself if it is a program, or this Node if it is a module. */
export function toCompilerCommand(path: string, args: readonly string[]): { program: string; args: readonly string[] } {
  return /\.[cm]?js$/.test(path) ? { program: process.execPath, args: [path, ...args] } : { program: path, args }
}

/**
 * Installs the compiler. If that fails, nothing is left.
 *
 * @throws FwError `css_npm` with npm's message.
 */
export async function installFromNpm(directory: string, { env, signal }: Pick<Io, "env" | "signal">): Promise<void> {
  await makeDirectory({ root: null, path: dirname(directory), code: "css_cache" })
  const partialDirectory = await OwnDirectory.createNextTo(directory)
  try {
    for (const name of await readdir(packageSource)) await partialDirectory.copy(join(packageSource, name), name)
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...retryOnce]
    const end = await runNpm(args, { cwd: partialDirectory.path, env, signal })
    if (end.code !== 0) throw npmError(end.output)
    await partialDirectory.moveTo(directory)
  } catch (error) {
    // Another process may have installed the directory meanwhile. It is complete then.
    const isInstalled = await stat(npmCompilerPath(directory)).then(
      () => true,
      () => false,
    )
    if (!isInstalled || signal.aborted) throw error
  } finally {
    await partialDirectory.remove()
  }
}

function npmError(said: string): FwError {
  const line = said.split("\n").find((text) => /\S/.test(text)) ?? "npm ended without a message"
  return cssFault("css_npm", [line.trim()])
}
