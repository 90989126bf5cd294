/** Writes a stream to a file that appears once it is complete. */
import { randomUUID } from "node:crypto"
import type { Stats } from "node:fs"
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { fault } from "../../lib/errors/fault.ts"
import { makeDirectory } from "../shared/make-directory.ts"

/**
 * Writes a stream to a file. A file that is already at the path stays as it is until every byte is written, and is then
 * replaced. Missing directories of the path are created.
 *
 * @param path absolute, or relative to the working directory.
 * @returns the file's size in bytes.
 * @throws FwError `platform` for a path that holds something other than a regular file. Errors of the stream and of the
 * file system are passed on, and no partial file is left behind.
 */
export async function saveStream(path: string, body: ReadableStream<Uint8Array>): Promise<number> {
  const target = await resolveTarget(path)
  return (await replaceFile(target, body, { makeDirectory: async () => makeDirectory(dirname(target)) })).size
}

/** What else happens when a file is replaced. */
interface ReplaceOptions {
  /** Makes the directory of the file. Called again if another process has removed it since. */
  makeDirectory?(): Promise<unknown>
  /** Called with the new file when it is complete, before it gets its name. */
  beforeRename?(stats: Stats): Promise<unknown>
}

/**
 * Writes a file under another name next to its place and renames it, so that there is the old file or all of the new one,
 * also after a power failure.
 *
 * @param target where it belongs. A link or another file there is replaced.
 */
export async function replaceFile(
  target: string,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { makeDirectory = async () => undefined, beforeRename = async () => undefined }: ReplaceOptions = {},
): Promise<Stats> {
  const directory = dirname(target)
  const partial = join(directory, `.${basename(target)}.${randomUUID()}.part`)
  const file = await openNew(partial, makeDirectory)
  try {
    await writeAll(file, body)
    await file.sync()
    const stats = await file.stat()
    await file.close()
    await beforeRename(stats)
    await rename(partial, target)
    await syncDirectory(directory)
    return stats
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
  }
}

async function openNew(path: string, makeDirectory: () => Promise<unknown>): Promise<FileHandle> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeDirectory()
      return await open(path, "wx")
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === 20) throw error
    }
  }
}

/** Writes the new name to the disk. Windows does it without being asked, and refuses to open a directory. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Returns the real path of the file: a link stays a link. Renaming over a device would destroy it, so only files are replaced. */
async function resolveTarget(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw error
  })
  if (!found) return resolve(path)
  if (found.isFile()) return realpath(path)
  throw fault("platform.save_place", [path, found.isDirectory() ? "a directory" : "not a regular file"])
}

async function writeAll(file: FileHandle, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    // One call may write less than it was given.
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
  }
}
