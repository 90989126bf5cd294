/** Brings a clone to where it runs: installs and builds what is missing or stale, else does nothing. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { build, isBuilt } from "./build.mjs"
import { isMain, root, run, runScript, ScriptError } from "./common.mjs"

/**
 * Installs the packages of package-lock.json and builds, each only if needed.
 *
 * @throws {ScriptError} when Node is too old, npm fails or the build does.
 */
export async function setup() {
  checkNode(process.versions.node)
  if (!isInstalled(root)) await install()
  if (!isBuilt()) await build()
}

/**
 * @param {string} version
 * @throws {ScriptError} below what package.json asks for.
 */
export function checkNode(version) {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const least = engines.node.replace(/^>=/, "")
  const [wantMajor = 0, wantMinor = 0] = least.split(".").map(Number)
  const [major = 0, minor = 0] = version.split(".").map(Number)
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return
  throw new ScriptError(
    `This is Node ${version}; fw needs ${least} or newer. https://nodejs.org/en/download has it.`,
  )
}

/**
 * Returns true if node_modules contains what package-lock.json names. npm notes what it installed in a lock of its own, inside
 * node_modules, written last: so an install that broke off counts as none, and one by `npm install` counts too.
 *
 * @param {string} directory
 */
export function isInstalled(directory) {
  const wanted = readPackages(join(directory, "package-lock.json"))
  const present = readPackages(join(directory, "node_modules", ".package-lock.json"))
  if (!wanted || !present) return false
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true
    // An optional package for another platform is named by the lock and rightly absent.
    return path in present ? present[path].version === version : optional === true
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

/** Installs the packages of package-lock.json. @throws {ScriptError} with what npm reports. */
export async function install() {
  console.log("Installing packages (npm ci) …")
  // NODE_ENV=production would leave out the compiler.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]
  const { code, output } = await run("npm", args).catch((error) => ({ code: 1, output: String(error) }))
  if (code === 0) return
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(output)
  const fix = offline
    ? "The npm registry could not be reached: check the network (and `npm config get registry`), then run this again."
    : "Fix what npm reports above, then run this again."
  throw new ScriptError(`${output.trim()}\n\nnpm ci failed with exit code ${code}. ${fix}`)
}

if (isMain(import.meta.url)) await runScript(setup)
