/** Provides the command's own copy of fw to a project that has not installed fw, for the imports in `.fw/`. */
import { readFile, readlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { packageDirectory } from "../system/package.ts"
import { removeFile, replaceLink } from "../system/whole-file.ts"

/**
 * Links the command's copy below `.fw/` if the project has no fw, or only another package of that name. Otherwise
 * removes the link, so that the installed fw is used.
 *
 * @param say prints a line if the copy is used.
 * @returns the directory of the copy, or null.
 */
export async function provideFramework(root: string, say: (text: string) => void): Promise<string | null> {
  const target = { root, path: join(root, ".fw", "node_modules", "fw") }
  const reason = await findReasonToProvide(root)
  if (reason === null) {
    // Removes only the link, because its target is this command.
    await removeFile(target)
    return null
  }
  if ((await readlink(target.path).catch(() => null)) !== packageDirectory) await replaceLink(target, packageDirectory)
  say(`${reason}, so this command's own copy is used. To have it in the project: npm install`)
  return packageDirectory
}

/** Returns the reason why the project's own fw is not used; null if it is used. */
async function findReasonToProvide(root: string): Promise<string | null> {
  try {
    const path = createRequire(join(root, "package.json")).resolve("fw/package.json")
    const { exports = {} } = JSON.parse(await readFile(path, "utf8")) as { exports?: object }
    return "./html" in exports ? null : "the fw in node_modules is another package of that name"
  } catch (error) {
    // fw exports its package.json, so this must be another package.
    const { code } = error as { code?: unknown }
    if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return "the fw in node_modules is another package of that name"
    return "fw is not installed in this project"
  }
}
