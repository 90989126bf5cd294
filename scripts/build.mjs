/**
 * Builds the package in dist/: esbuild bundles the programs, the vendored libraries and the editor extension, and the
 * TypeScript compiler writes the declarations.
 */
import { createHash } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { bundle } from "./bundle.mjs"
import { isMain, listFilesBelow, root, runScript, runTool, ScriptError } from "./common.mjs"
import { bundleVendor } from "./vendor.mjs"
import { buildExtension } from "./vsix.mjs"

const dist = join(root, "dist")
const stampFile = join(dist, ".built")
const sourceDirectories = ["bin", "lib", "template", "adapters", "explorer", "editors", "vendor", "scripts"]
const singleFiles = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"]

/**
 * The error for a build with type errors; its message is that of the compiler. The programs were written to dist/
 * nevertheless.
 */
export class TypesError extends ScriptError {}

/** Builds everything in dist/ again. @throws {ScriptError} */
export async function build() {
  const fingerprint = fingerprintSources()
  rmSync(dist, { recursive: true, force: true })
  const declarations = runTool("typescript/bin/tsc", ["-p", "tsconfig.build.json", "--pretty", "false"])
  const extension = join(dist, "editors", "fw-templates.vsix")
  await Promise.all([bundle(dist), bundleVendor(dist), buildExtension(extension)])
  linkCommand()
  const { code, output } = await declarations
  if (code !== 0) throw new TypesError(`${output.trim()}\n\nThe types do not fit (tsc -p tsconfig.build.json).`)
  writeFileSync(stampFile, fingerprint)
}

/** Returns true if dist/ was built from the current sources. */
export function isBuilt() {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === fingerprintSources()
}

/**
 * Returns a hash of the names, sizes and times of the sources. Reading their contents would take longer, and a needless
 * build costs only a second.
 */
function fingerprintSources() {
  const hash = createHash("sha256")
  const nestedFiles = sourceDirectories.flatMap((name) =>
    listFilesBelow(join(root, name)).map((file) => `${name}/${file}`),
  )
  for (const file of [...singleFiles, ...nestedFiles]) {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest("hex")
}

/**
 * Links the built package and its command into node_modules, for the examples. npm cannot do it, because neither exists
 * before the build.
 */
export function linkCommand() {
  const command = join(dist, "bin", "fw.js")
  chmodSync(command, 0o755)
  link(root, join(root, "node_modules", "fw"))
  if (process.platform !== "win32") link(command, join(root, "node_modules", ".bin", "fw"))
}

/** Creates a link, unless it exists. @param {string} target @param {string} path of the link */
function link(target, path) {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  const isWindows = process.platform === "win32"
  symlinkSync(isWindows ? target : relative(dirname(path), target), path, "junction")
}

if (isMain(import.meta.url)) await runScript(build)
