/**
 * Provides a project without an installed fw with the running command's own copy, for the imports in `.fw/`.
 */
import { readFile, readlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { packageDirectory } from "../system/package.ts"
import { removeFile, replaceLink } from "../system/whole-file.ts"

/**
 * Links this command's copy below `.fw/` if the project has no fw of its own, and removes the link otherwise:
 * an installed fw takes precedence, unless it is another package with that name.
 *
 * @param say prints a line when the copy is used.
 * @returns the directory of the copy, or null.
 */
export async function provideFramework(root: string, say: (text: string) => void): Promise<string | null> {
  const place = { root, path: join(root, ".fw", "node_modules", "fw") }
  const reason = await findReasonToProvide(root)
  if (reason === null) {
    // Only the link is removed, because its target is this command.
    await removeFile(place)
    return null
  }
  if ((await readlink(place.path).catch(() => null)) !== packageDirectory) await replaceLink(place, packageDirectory)
  say(`${reason}, so this command's own copy is used. To have it in the project: npm install`)
  return packageDirectory
}

/** Returns the reason why the project's own fw is not used, or null if it is. */
async function findReasonToProvide(root: string): Promise<string | null> {
  try {
    const path = createRequire(join(root, "package.json")).resolve("fw/package.json")
    const { exports = {} } = JSON.parse(await readFile(path, "utf8")) as { exports?: object }
    return "./html" in exports ? null : "the fw in node_modules is another package of that name"
  } catch (error) {
    // The exports of fw include package.json.
    const { code } = error as { code?: unknown }
    if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return "the fw in node_modules is another package of that name"
    return "fw is not installed in this project"
  }
}
