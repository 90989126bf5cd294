/** Checks that the registry has exactly this fw, because its name and version may belong to another package. */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import type { ToolIo } from "../cli/terminal.ts"
import { ownFiles, ownManifest } from "../project/own-package.ts"
import type { OwnDirectory } from "../system/own-directory.ts"
import { packageDirectory } from "../system/package.ts"
import { type PackageFile, readTar } from "../system/tar.ts"
import { isUnreachable, runNpm } from "../tools/npm.ts"

/** The registry's package with the name and version of fw. */
export type Published =
  /** The same package. `integrity` is that of its tarball, which npm verifies. */
  | { readonly state: "ours"; readonly integrity: string }
  | { readonly state: "foreign" | "none" | "unreachable" | "no npm" }

/**
 * Downloads `fw` in the running version from npm's registry, and compares every file. Nothing of it is
 * installed or run.
 *
 * @param directory stores the tarball meanwhile.
 */
export async function findPublished(
  directory: OwnDirectory,
  world: ToolIo,
  root = packageDirectory,
): Promise<Published> {
  const { version } = await ownManifest(root)
  const folder = ".fw-published"
  await directory.directory(folder)
  try {
    const args = [
      "pack",
      `fw@${version}`,
      "--json",
      "--ignore-scripts",
      "--fetch-retries=0",
      "--loglevel=error",
    ]
    const end = await runNpm([...args, "--pack-destination", folder], world)
    if (end.code !== 0) return { state: isUnreachable(end.output) ? "unreachable" : "none" }
    const [packed] = JSON.parse(end.stdout) as [{ readonly filename: string }]
    const tarball = await readFile(directory.at(`${folder}/${packed.filename}`))
    if (!isSame(readTar(tarball), await ownFiles(root))) return { state: "foreign" }
    return { state: "ours", integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}` }
  } catch (error) {
    world.signal.throwIfAborted()
    if ((error as { code?: unknown }).code === "program_missing") return { state: "no npm" }
    // A tarball that cannot be read is another package.
    return { state: "foreign" }
  } finally {
    directory.removeSync(folder)
  }
}

function isSame(theirs: readonly PackageFile[], ours: readonly PackageFile[]): boolean {
  const digests = (files: readonly PackageFile[]) =>
    files.map(({ path, bytes }) => `${path} ${createHash("sha256").update(bytes).digest("hex")}`).sort()
  return digests(theirs).join("\n") === digests(ours).join("\n")
}
