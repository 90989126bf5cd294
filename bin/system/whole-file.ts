/** Writes a file completely or not at all, even if the process is killed. */
import { chmod, type FileHandle, link, open, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { makeDirectory } from "./directories.ts"
import { makePartialPath, removeAbandonedPartials } from "./temporary-files.ts"
import { resolveEntryPath, resolveFilePath, unwritableError, type WritePlace } from "./write-place.ts"

/** A file that does not exist yet, and the functions that write it. */
export interface NewFile {
  readonly path: string
  /** Writes the whole content. */
  write(content: string | Uint8Array): Promise<void>
  /** Opens the file to write it in parts. */
  open(): Promise<FileHandle>
}

/**
 * Writes or replaces a file. If the path is a link inside the project, its target is replaced and the link stays.
 *
 * @throws FwError as `resolveFilePath` does, and for errors of the system. All changes are undone then.
 */
export async function replaceFile(place: WritePlace, content: string | Uint8Array): Promise<void> {
  await fillFile(place, (file) => file.write(content))
}

/**
 * Writes a file under a temporary name next to its target, and renames it when it is complete.
 *
 * @param fill writes the file.
 * @param mode the permissions. Default: those of the existing file.
 * @throws FwError as {@link replaceFile} does, and the errors of `fill`.
 */
export async function fillFile<T>(place: WritePlace, fill: (file: NewFile) => Promise<T>, mode?: number): Promise<T> {
  return withPartialFile(place, async (partial, path) => {
    const result = await fill(toNewFile(partial))
    const permissions = mode ?? (await stat(path).catch(() => null))?.mode
    if (permissions !== undefined) await chmod(partial, permissions & 0o7777)
    await rename(partial, path)
    return result
  })
}

/** Returns functions that write a file which does not exist yet. */
export function toNewFile(path: string): NewFile {
  return {
    path,
    write: (content) => writeFile(path, content),
    open: () => open(path, "wx"),
  }
}

/**
 * Writes a new file.
 *
 * @throws FwError as {@link replaceFile} does; the system's EEXIST, with its `path`, if the file exists.
 */
export async function createFile(place: WritePlace, content: string | Uint8Array): Promise<void> {
  await withPartialFile(place, async (partial, path) => {
    await writeFile(partial, content, { flag: "wx" })
    try {
      // Renaming would replace a file that was created meanwhile.
      await link(partial, path)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === "EEXIST") throw Object.assign(error as Error, { path })
      // The file system does not support hard links.
      await writeNewFile(path, content)
    }
  })
}

async function writeNewFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(path, content, { flag: "wx" }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") await rm(path, { force: true })
    throw error
  })
}

/**
 * Writes a file atomically, unless it has the same content already, so that watchers do not see a change.
 *
 * @returns true if the file was written.
 * @throws FwError as {@link replaceFile} does.
 */
export async function writeIfChanged(place: WritePlace, text: string): Promise<boolean> {
  // The path is checked before it is read, because reading from a named pipe might never end.
  const currentBytes = await readFile(await resolveFilePath(place)).catch(() => null)
  if (currentBytes?.equals(Buffer.from(text))) return false
  await replaceFile(place, text)
  return true
}

/**
 * Reads a file that may not exist.
 *
 * @returns null if it does not exist or is not a regular file. Reading from a named pipe might never end.
 */
export async function readRegularFile(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null)
  return stats?.isFile() ? readFile(path, "utf8").catch(() => null) : null
}

/**
 * Removes a file or link, if it exists.
 *
 * @throws FwError for a path that a link leads outside the project.
 */
export async function removeFile(place: WritePlace): Promise<void> {
  await rm(await resolveEntryPath(place), { force: true })
}

/**
 * Creates a link to a directory and replaces what is there. Two commands may do this at the same time.
 *
 * @throws FwError as {@link removeFile} does.
 */
export async function replaceLink(place: WritePlace, target: string): Promise<void> {
  const path = await resolveEntryPath(place)
  await makeDirectory({ ...place, path: dirname(path) })
  await removeAbandonedPartials(path)
  const linkPartial = makePartialPath(path)
  await symlink(target, linkPartial, "junction")
  // Only POSIX can rename to an existing path.
  if (process.platform === "win32") await rm(path, { force: true })
  await rename(linkPartial, path)
}

async function withPartialFile<T>(place: WritePlace, write: (partial: string, path: string) => Promise<T>): Promise<T> {
  const path = await resolveFilePath(place)
  const partial = makePartialPath(path)
  const { undo } = await makeDirectory({ ...place, path: dirname(path) })
  try {
    await removeAbandonedPartials(path)
    return await write(partial, path)
  } catch (error) {
    // The file is removed first, because only empty directories can be removed.
    await rm(partial, { force: true })
    await undo()
    const { code, syscall } = error as NodeJS.ErrnoException
    throw error instanceof FwError || !syscall || code === "EEXIST" ? error : unwritableError(place, error)
  } finally {
    await rm(partial, { force: true })
  }
}
