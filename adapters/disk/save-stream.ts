/** Writes a stream to a file that appears once it is complete. */
import { randomUUID } from "node:crypto"
import { type FileHandle, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { fault } from "../../lib/errors/fault.ts"

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
  const directory = dirname(target)
  await mkdir(directory, { recursive: true })
  const partial = join(directory, `.${basename(target)}.${randomUUID()}.part`)
  const file = await open(partial, "wx")
  try {
    const size = await writeAll(file, body)
    await file.close()
    await rename(partial, target)
    return size
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
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

async function writeAll(file: FileHandle, body: ReadableStream<Uint8Array>): Promise<number> {
  let size = 0
  for await (const chunk of body) {
    // One call may write less than it was given.
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
    size += chunk.length
  }
  return size
}
