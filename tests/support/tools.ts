/**
 * Installs packages that tests use as tools. npm installs them once, outside of the project, and all clones share
 * them, like the runtimes (scripts/runtimes.mjs).
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import { runProgram } from "../../bin/tools/program.ts"

/**
 * Returns a `node_modules` folder with these packages, whose names include their versions as for npm. Callers must
 * not change it.
 */
export async function installTools(packages: readonly string[]): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache")
  const hash = createHash("sha256").update(packages.toSorted().join("\n")).digest("hex").slice(0, 16)
  const folder = join(cache, "fw", "test-tools", hash)
  if (!existsSync(folder)) await install(packages, folder)
  return join(folder, "node_modules")
}

/** Installs the packages completely or not at all, also if two test files do it at once. */
async function install(packages: readonly string[], folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true })
  const partial = mkdtempSync(`${folder}-`)
  try {
    writeFileSync(join(partial, "package.json"), '{ "private": true }\n')
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", ...packages]
    await runProgram({ program: "npm", args, cwd: partial })
    renameSync(partial, folder)
  } catch (error) {
    // If another test file installed the packages meanwhile, its folder is used.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}
