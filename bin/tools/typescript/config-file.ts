/** The configuration of a program on disk, so that TypeScript reads every file itself instead of asking for it. */
import { lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { partialOf, sweepPartials } from "../../system/temporary-files.ts"
import { configFile, slashes } from "./config.ts"

/** A file for a configuration, which exists until it was read. */
export interface ConfigOnDisk {
  /** Absolute, with forward slashes. */
  readonly path: string
  /** @throws Error of the system, such as for a full disk. */
  write(text: string): void
  remove(): void
}

/**
 * Makes an empty file next to {@link configFile}, under a name of its own, because several commands may run at the same
 * time. Its name shows its process, so that the next command can remove it if this one is killed.
 *
 * @returns null if the project cannot be written to, or if its `.fw` is not a directory.
 */
export function makeConfigFile(root: string): ConfigOnDisk | null {
  const directory = join(root, ".fw")
  const isOwn = makeDirectory(directory)
  if (isOwn === null) return null
  const path = partialOf(join(root, configFile))
  const remove = () => {
    rmSync(path, { force: true })
    if (isOwn) removeEmpty(directory)
  }
  try {
    // "wx" neither follows a link nor replaces a file.
    writeFileSync(path, "{}", { flag: "wx" })
    return { path: slashes(path), write: (text) => writeFileSync(path, text, { flag: "r+" }), remove }
  } catch {
    if (isOwn) removeEmpty(directory)
    return null
  }
}

/** Removes the files of commands that were killed. */
export async function removeAbandonedConfigs(root: string): Promise<void> {
  // A project without `.fw` has none.
  await sweepPartials(join(root, configFile)).catch(() => {})
}

/** Returns true if it has made the directory, false if there was one, and null if there can be none. */
function makeDirectory(directory: string): boolean | null {
  try {
    mkdirSync(directory)
    return true
  } catch {
    return lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() ? false : null
  }
}

/** Removes a directory, unless another command has written to it meanwhile. */
function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // It is in use.
  }
}
