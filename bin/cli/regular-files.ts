/**
 * Refuses named pipes, sockets and devices in the place of project files. Opening a named pipe waits until a
 * program writes to it. If esbuild or TypeScript did that, fw could not interrupt them, so commands check the files
 * first.
 */
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs"
import { join } from "node:path"

/** Matches files that a command, esbuild or TypeScript may read without being told to. */
const readFilePattern = /\.(?:[cm]?[jt]sx?|jsonc?|tpl|css)$|^\.(?:editorconfig|gitignore)$/

/**
 * Checks the files that every command may read: those in the project's directory and in `.fw`.
 *
 * @throws FwError `unreadable` for one that is not a regular file.
 */
export async function checkProjectFiles(root: string): Promise<void> {
  for (const directory of ["", ".fw"]) await checkEntries(root, directory, readEntries(join(root, directory)))
}

/**
 * Checks the entries of a project's directory.
 *
 * @throws FwError `unreadable`.
 */
export async function checkEntries(root: string, directory: string, entries: readonly Dirent[]): Promise<void> {
  for (const entry of entries)
    if (!entry.isFile() && !entry.isDirectory() && readFilePattern.test(entry.name))
      await checkRegularFile(root, directory === "" ? entry.name : `${directory}/${entry.name}`)
}

/**
 * Checks one file. It may be missing.
 *
 * @throws FwError `unreadable`.
 */
export async function checkRegularFile(root: string, file: string): Promise<void> {
  const stats = statIfPresent(join(root, file))
  if (!stats || stats.isFile() || stats.isDirectory()) return
  const { fileFault } = await import("../messages/files.ts")
  throw fileFault("unreadable.kind", [file, describeFileType(stats)], { at: { file } })
}

/** Returns the type of a file; undefined if the file is missing or is a link that leads nowhere. */
function statIfPresent(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    // The code that reads or writes the file reports this error.
    return undefined
  }
}

/** Names the type of an entry that is neither a file nor a directory. */
function describeFileType(stats: Stats): string {
  if (stats.isFIFO()) return "a named pipe"
  return stats.isSocket() ? "a socket" : "a device"
}

function readEntries(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    // If the command needs the directory, it reports the error itself.
    return []
  }
}
