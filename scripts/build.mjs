/** Compiles the sources into dist/ and bundles vendor/. */
import { createHash } from "node:crypto"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join, relative } from "node:path"
import { bundleCommand } from "./bundle-command.mjs"
import { bundleForNode } from "./bundles.mjs"
import { filesBelow, isMain, root, runScript, runTool, ScriptError } from "./common.mjs"
import { dropDeclarations, dropMaps } from "./declarations.mjs"
import { shrinkPrograms } from "./shrink.mjs"
import { bundleVendor } from "./vendor.mjs"

const dist = join(root, "dist")
const stamp = join(dist, ".built")
const directories = ["bin", "lib", "adapters", "explorer", "vendor", "scripts"]
const singles = ["package.json", "package-lock.json", "tsconfig.json"]

/** A build that failed on the types: its message is the compiler's. What could be written is in dist/ all the same. */
export class TypesError extends ScriptError {}

/** Compiles, bundles vendor/, and clears dist/ of what no longer has a source. @throws {ScriptError} */
export async function build() {
  const fingerprint = sourcesFingerprint()
  rmSync(stamp, { force: true })
  removeStale()
  const { code, output } = await runTool("typescript/bin/tsc", ["-p", "tsconfig.json", "--pretty", "false"])
  await bundleVendor(dist)
  const page = await buildExplorer()
  await shrinkPrograms(dist)
  await Promise.all([bundleForNode(dist), bundleCommand(dist)])
  finishCommand()
  dropMaps(dist)
  dropDeclarations(dist)
  if (code !== 0) throw new TypesError(`${output.trim()}\n\nThe types do not fit (tsc -p tsconfig.json).`)
  if (page.code !== 0)
    throw new TypesError(`${page.output.trim()}\n\nThe types do not fit (tsc -p explorer/tsconfig.json).`)
  mkdirSync(dist, { recursive: true })
  writeFileSync(stamp, fingerprint)
}

/** The explorer is a browser's: it has a browser's types, and its page and styles go along. */
async function buildExplorer() {
  const result = await runTool("typescript/bin/tsc", ["-p", "explorer/tsconfig.json", "--pretty", "false"])
  for (const name of ["index.html", "style.css"])
    copyFileSync(join(root, "explorer", name), join(dist, "explorer", name))
  return result
}

/** Returns true if dist/ was built from the current sources. */
export function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === sourcesFingerprint()
}

/** Names, sizes and times instead of contents: it costs a few milliseconds, and a needless build costs only a second. */
function sourcesFingerprint() {
  const hash = createHash("sha256")
  const nested = directories.flatMap((name) => filesBelow(join(root, name)).map((file) => `${name}/${file}`))
  for (const file of [...singles, ...nested]) {
    const { mtimeMs, size } = statSync(join(root, file))
    hash.update(`${file}\0${size}\0${mtimeMs}\n`)
  }
  return hash.digest("hex")
}

/** A compiled test whose source is gone would go on running, and a module go on being importable. */
function removeStale() {
  for (const file of filesBelow(dist)) {
    const source = file.replace(/\.(?:d\.(m?)ts|(m?)js)(?:\.map)?$/, ".$1$2ts")
    if (source !== file && !existsSync(join(root, source))) rmSync(join(dist, file))
  }
}

/** On a fresh clone npm could not link the command for the examples: there was none yet. */
function finishCommand() {
  const command = join(dist, "bin", "fw.js")
  if (!existsSync(command)) return
  chmodSync(command, 0o755)
  const link = join(root, "node_modules", ".bin", "fw")
  if (process.platform === "win32" || existsSync(link)) return
  rmSync(link, { force: true })
  symlinkSync(relative(dirname(link), command), link)
}

if (isMain(import.meta.url)) await runScript(build)
