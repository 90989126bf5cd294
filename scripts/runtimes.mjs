/** Installs the runtimes (Bun, Deno, workerd) for the contract suite, once for all clones of the project. */
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { isMain, root, runProgram, runScript, ScriptError } from "./common.mjs"

/** The only file that says which versions are used. */
const versionsFile = join(root, "tests", "runtimes", "versions.json")

/** Returns the directory of the runtimes. Its name is a hash of their list, so clones with the same list share it. */
export function getRuntimesDirectory() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache")
  const hash = createHash("sha256").update(readFileSync(versionsFile)).digest("hex").slice(0, 16)
  return join(cache, "fw", "runtimes", hash)
}

/**
 * Installs the runtimes, unless they are installed.
 *
 * @throws {ScriptError} if npm fails, or if this is not Linux on x64, because the packages are only for that.
 */
export async function installRuntimes() {
  const directory = getRuntimesDirectory()
  if (existsSync(directory)) return
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new ScriptError(
      "The runtimes of the contract suite are Linux programs for x64: run it there, or in a container.",
    )
  }
  console.log("Installing the runtimes …")
  mkdirSync(dirname(directory), { recursive: true })
  // The directory gets its name only when it is complete, because two clones may install at the same time.
  const partial = mkdtempSync(`${directory}-`)
  try {
    copyFileSync(versionsFile, join(partial, "package.json"))
    const args = ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    const { code, output } = await runProgram("npm", args, { cwd: partial })
    if (code !== 0)
      throw new ScriptError(`${output.trim()}\n\nnpm install of the runtimes failed with exit code ${code}.`)
    renameSync(partial, directory)
  } catch (error) {
    // Another clone may have installed them first.
    if (!existsSync(directory)) throw error
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) await runScript(installRuntimes)
