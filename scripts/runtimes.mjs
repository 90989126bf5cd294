/** Installs the runtimes that the contract suite runs on, once, outside the project. */
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { isMain, root, runProgram, runScript, ScriptError } from "./common.mjs"

/** The one place that says which versions. */
const versionsFile = join(root, "tests", "runtimes", "versions.json")

/** Their folder, named after the list of packages, so that another list has another folder and all clones share it. */
export function getRuntimesDirectory() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache")
  const hash = createHash("sha256").update(readFileSync(versionsFile)).digest("hex").slice(0, 16)
  return join(cache, "fw", "runtimes", hash)
}

/**
 * Installs what is missing.
 *
 * @throws {ScriptError} elsewhere than on Linux with x64, which the packages are for, and when npm fails.
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
  // Whole or not at all, also with two clones at once.
  const partial = mkdtempSync(`${directory}-`)
  try {
    copyFileSync(versionsFile, join(partial, "package.json"))
    const args = ["install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    const { code, output } = await runProgram("npm", args, { cwd: partial })
    if (code !== 0)
      throw new ScriptError(`${output.trim()}\n\nnpm install of the runtimes failed with exit code ${code}.`)
    renameSync(partial, directory)
  } catch (error) {
    // Somebody else was first.
    if (!existsSync(directory)) throw error
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}

if (isMain(import.meta.url)) await runScript(installRuntimes)
