/**
 * Refuses named pipes, sockets and devices where a project has a file. To open a named pipe waits for a program that
 * writes to it, also in esbuild and TypeScript, which fw cannot interrupt, so they are looked for before the work.
 */
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs"
import { join } from "node:path"

/** Names of files that a command, esbuild or TypeScript may read although nothing names them. */
const readFilePattern = /\.(?:[cm]?[jt]sx?|jsonc?|tpl|css)$|^\.(?:editorconfig|gitignore)$/

/**
 * Checks the files of a project that every command may read: those in its directory and in `.fw`.
 *
 * @throws FwError `unreadable` for one that is not a regular file.
 */
export async function checkProjectFiles(root: string): Promise<void> {
  for (const directory of ["", ".fw"]) await checkEntries(root, directory, readEntries(join(root, directory)))
}

/** Checks the entries of a directory of a project. @throws FwError `unreadable`. */
export async function checkEntries(root: string, directory: string, entries: readonly Dirent[]): Promise<void> {
  for (const entry of entries)
    if (!entry.isFile() && !entry.isDirectory() && readFilePattern.test(entry.name))
      await checkRegularFile(root, directory === "" ? entry.name : `${directory}/${entry.name}`)
}

/** Checks one file, which may be missing. @throws FwError `unreadable`. */
export async function checkRegularFile(root: string, file: string): Promise<void> {
  const found = statIfPresent(join(root, file))
  if (!found || found.isFile() || found.isDirectory()) return
  const { fileFault } = await import("../messages/files.ts")
  throw fileFault("unreadable.kind", [file, describeKind(found)], { at: { file } })
}

/** Returns the kind of a file; undefined for a missing one, and for a link that leads nowhere or to itself. */
function statIfPresent(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    // What reads or writes it has a message of its own.
    return undefined
  }
}

/** Returns what an entry is that is neither a file nor a directory. */
function describeKind(found: Stats): string {
  if (found.isFIFO()) return "a named pipe"
  return found.isSocket() ? "a socket" : "a device"
}

function readEntries(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    // The command itself says so, if it needs the directory.
    return []
  }
}
