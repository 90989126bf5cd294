/** Prepares a clone: installs packages and builds, but only what is missing or stale. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { build, isBuilt, linkCommand } from "./build.mjs"
import { isMain, root, runProgram, runScript, ScriptError } from "./common.mjs"

/**
 * Installs the packages that a build needs, and builds. Each is done only if needed. The other packages, which are most
 * of them, are installed by `npm test`.
 *
 * @throws {ScriptError} if Node is too old, or if npm or the build fails.
 */
export async function setup() {
  checkNode(process.versions.node)
  if (!isInstalled(root, "build")) await install("build")
  // If packages were installed after the build, npm has removed the links.
  if (isBuilt()) return linkCommand()
  console.error("Building fw …")
  await build()
}

/**
 * @param {string} version
 * @throws {ScriptError} if the version is below the minimum in package.json.
 */
export function checkNode(version) {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const minimumVersion = engines.node.replace(/^>=/, "")
  const [minMajor = 0, minMinor = 0] = minimumVersion.split(".").map(Number)
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return
  throw new ScriptError(
    `This is Node ${version}; fw needs ${minimumVersion} or newer. https://nodejs.org/en/download has it.`,
  )
}

/**
 * What packages are installed for. `build` stands for what a build of fw needs, which is enough to serve and to pack.
 * `all` adds what checks and tests need.
 *
 * @typedef {"all" | "build"} Purpose
 */

/**
 * Returns true if node_modules contains the packages in package-lock.json. npm lists what it has installed in a lock
 * file inside node_modules, which it writes last. So an installation that was interrupted counts as none, and one by
 * `npm install` counts too.
 *
 * @param {string} directory
 * @param {Purpose} purpose
 */
export function isInstalled(directory, purpose) {
  const wantedPackages = readPackages(join(directory, "package-lock.json"))
  const installedPackages = readPackages(join(directory, "node_modules", ".package-lock.json"))
  if (!wantedPackages || !installedPackages) return false
  // package.json lists the packages that a build needs. npm has installed each together with the packages that it
  // needs.
  const direct = Object.keys(wantedPackages[""].devDependencies).map((name) => `node_modules/${name}`)
  const isStale = ([path, { version }]) => wantedPackages[path]?.version !== version
  if (purpose === "build")
    return direct.every((path) => path in installedPackages) && !Object.entries(installedPackages).some(isStale)
  return Object.entries(wantedPackages).every(([path, { version, optional, link }]) => {
    if (link || !path.includes("node_modules/")) return true
    // An optional package for another platform is in package-lock.json, but npm does not install it.
    return path in installedPackages ? installedPackages[path].version === version : optional === true
  })
}

/** @param {string} file */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages
  } catch {
    return undefined
  }
}

/**
 * Installs packages of package-lock.json, and prints how many were downloaded.
 *
 * @param {Purpose} purpose
 * @throws {ScriptError} with what npm reports.
 */
export async function install(purpose) {
  // Set explicitly, because NODE_ENV=production would leave the compiler out, and `npm pack --dry-run` would install
  // nothing.
  const args = ["ci", "--include=dev", "--dry-run=false", "--no-audit", "--no-fund", "--loglevel=http"]
  // Optional peers are left out, because only tests need them.
  if (purpose === "build") args.push("--no-workspaces", "--legacy-peer-deps")
  console.error("Installing packages (npm ci) …")
  let fetchCount = 0
  const onLine = (line) => {
    if (!/^npm http fetch GET 200 \S+\.tgz/.test(line)) return
    fetchCount += 1
    if (fetchCount % 25 === 0) console.error(`  ${fetchCount} fetched`)
  }
  const toFailure = (error) => ({ code: 1, output: String(error) })
  const { code, output } = await runProgram("npm", args, { onLine }).catch(toFailure)
  if (code === 0) return
  const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(output)
  const fix = isOffline
    ? "The npm registry could not be reached: check the network (and `npm config get registry`), then run this again."
    : "Fix what npm reports above, then run this again."
  const report = output.replace(/^npm http .*\n/gm, "").trim()
  throw new ScriptError(`${report}\n\nnpm ci failed with exit code ${code}. ${fix}`)
}

if (isMain(import.meta.url)) await runScript(setup)
