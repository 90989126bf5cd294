/** Builds the package in dist/: programs, vendored libraries and the extension of an editor by esbuild, declarations by the compiler. */
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

/** A build that failed on the types: its message is the compiler's. The programs are in dist/ all the same. */
export class TypesError extends ScriptError {}

/** Replaces dist/. @throws {ScriptError} */
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

/** Names, sizes and times instead of contents: it costs a few milliseconds, and a needless build costs only a second. */
function fingerprintSources() {
  const hash = createHash("sha256")
  const nested = sourceDirectories.flatMap((name) => listFilesBelow(join(root, name)).map((file) => `${name}/${file}`))
  for (const file of [...singleFiles, ...nested]) {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest("hex")
}

/** In node_modules: the package for the examples, which is no package of a build, and the command, which did not exist yet. */
export function linkCommand() {
  const command = join(dist, "bin", "fw.js")
  chmodSync(command, 0o755)
  link(root, join(root, "node_modules", "fw"))
  if (process.platform !== "win32") link(command, join(root, "node_modules", ".bin", "fw"))
}

/** @param {string} target @param {string} path a link that leads there afterwards */
function link(target, path) {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  const isWindows = process.platform === "win32"
  symlinkSync(isWindows ? target : relative(dirname(path), target), path, "junction")
}

if (isMain(import.meta.url)) await runScript(build)
