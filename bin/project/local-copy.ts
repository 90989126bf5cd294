/** fw in a project that has none installed: the running command's own copy, within reach of what `.fw/` holds. Called by `fw dev`. */
import { mkdir, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The package that this command is part of. */
const ownPackage = fileURLToPath(new URL("../../../", import.meta.url))

/**
 * Links this command's copy below `.fw/` where the project resolves no fw of its own, and takes the link away where
 * it does: what a project installs comes first.
 *
 * @param say is told when the copy is used.
 */
export async function lendFramework(root: string, say: (text: string) => void): Promise<void> {
  const modules = join(root, ".fw", "node_modules")
  const link = join(modules, "fw")
  // The link alone: what it leads to is this command.
  await rm(link, { force: true })
  if (hasFramework(root)) return
  await mkdir(modules, { recursive: true })
  await symlink(ownPackage, link, "junction")
  say(
    "fw is not installed in this project: it runs on this command's own copy. Install it with npm to keep it.",
  )
}

function hasFramework(root: string): boolean {
  try {
    createRequire(join(root, "package.json")).resolve("fw/package.json")
    return true
  } catch {
    return false
  }
}
