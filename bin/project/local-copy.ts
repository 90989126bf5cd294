/** fw in a project that has none installed: the running command's own copy, within reach of what `.fw/` holds. Called by `fw dev` and `fw build`. */
import { readFile, readlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { removeFile, replaceLink } from "../system/whole-file.ts"
import { ownPackage } from "./own-package.ts"

/**
 * Links this command's copy below `.fw/` where the project resolves no fw of its own, and takes the link away where
 * it does: what a project installs comes first, unless it is another package of that name.
 *
 * @param say is told, by a line without its break, when the copy is used.
 * @returns the directory that is lent, or null.
 */
export async function lendFramework(root: string, say: (text: string) => void): Promise<string | null> {
  const place = { root, path: join(root, ".fw", "node_modules", "fw") }
  const reason = await reasonToLend(root)
  if (reason === null) {
    // The link alone: what it leads to is this command.
    await removeFile(place)
    return null
  }
  if ((await readlink(place.path).catch(() => null)) !== ownPackage) await replaceLink(place, ownPackage)
  say(`${reason}, so this command's own copy is used. To have it in the project: npm install`)
  return ownPackage
}

/** Why the project's own fw is not used, or null where it is. */
async function reasonToLend(root: string): Promise<string | null> {
  try {
    const path = createRequire(join(root, "package.json")).resolve("fw/package.json")
    const { exports = {} } = JSON.parse(await readFile(path, "utf8")) as { exports?: object }
    return "./html" in exports ? null : "the fw in node_modules is another package of that name"
  } catch (error) {
    // Exports that keep package.json to themselves are not ours.
    const { code } = error as { code?: unknown }
    if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED")
      return "the fw in node_modules is another package of that name"
    return "fw is not installed in this project"
  }
}
