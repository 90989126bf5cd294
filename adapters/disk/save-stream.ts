/** Writes a stream to a file, which appears only when it is complete. */
import { randomUUID } from "node:crypto"
import type { Stats } from "node:fs"
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { fault } from "../../lib/errors/fault.ts"
import { makeDirectory } from "../shared/make-directory.ts"

/**
 * Writes a stream to a file. A file that exists at the path is replaced only after all bytes are written. Missing
 * directories are created.
 *
 * @param path an absolute path, or one that is relative to the working directory.
 * @returns the file's size in bytes.
 * @throws FwError `platform` if there is something at the path that is not a regular file. Errors of the stream and of
 * the file system are thrown unchanged. No incomplete file is left behind.
 */
export async function saveStream(path: string, body: ReadableStream<Uint8Array>): Promise<number> {
  const target = await resolveTarget(path)
  return (await replaceFile(target, body, { makeDirectory: async () => makeDirectory(dirname(target)) })).size
}

/** Functions that are called while a file is replaced. */
interface ReplaceOptions {
  /** Creates the directory of the file. Called again if another process has removed the directory. */
  makeDirectory?(): Promise<unknown>
  /** Called when the new file is complete, before it is renamed. */
  beforeRename?(stats: Stats): Promise<unknown>
}

/**
 * Writes a file under another name in the same directory, and then renames it. So there is always the old file or the
 * complete new one, even after a power failure.
 *
 * @param target the path of the file. A file or a link at this path is replaced.
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

/** Makes sure that the renaming is on the disk. Windows does that by itself, and cannot open a directory. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Returns the real path of a file, so that a link at the path is not replaced.
 *
 * @throws FwError `platform` for something like a device, which renaming would destroy.
 */
async function resolveTarget(path: string): Promise<string> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null
    throw error
  })
  if (!stats) return resolve(path)
  if (stats.isFile()) return realpath(path)
  throw fault("platform.save_place", [path, stats.isDirectory() ? "a directory" : "not a regular file"])
}

async function writeAll(file: FileHandle, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  for await (const chunk of body) {
    // A call may write fewer bytes than it was given.
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
  }
}
