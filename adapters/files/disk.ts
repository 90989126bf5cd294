/** The engine that stores files in a directory, on runtimes that have a disk. */
import type { Stats } from "node:fs"
import { lstat, mkdir, readdir, readFile, realpath, rm, rmdir, stat } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import type { Description, FilesEngine, Source } from "../../lib/files/engine.ts"
import { filesFault } from "../../lib/files/fault.ts"
import type { FileEntry } from "../../lib/files/types.ts"
import { isFileName } from "../../lib/static/file-names.ts"
import { findMediaType } from "../../lib/static/media-types.ts"
import { type FileInfo, getTag } from "../../lib/static/serve-static.ts"
import { createDeferredFileSource, type DiskFile } from "../disk/files.ts"
import { isMissingFileError } from "../disk/real-directory.ts"
import { replaceFile } from "../disk/save-stream.ts"
import { makeDirectory } from "../shared/make-directory.ts"

const toSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000)

/** Returns the engine for a directory. */
export function openDirectory(directory: string): FilesEngine {
  const root = resolve(directory)
  /** Opens files with the same checks as static files. */
  const source = createDeferredFileSource(root)
  const openFile = async (name: string) => {
    const content = await source.open(name.split("/"))
    if (content === null || content === "directory") return null
    try {
      const path = toDescriptionPath(join(root, name), content)
      const text = await readFile(path, "utf8").catch(ignoreMissing)
      const { type = findMediaType(name), cacheControl }: Partial<Description> = text === null ? {} : JSON.parse(text)
      return { content, file: { ...toEntry(name, content), type, cacheControl } }
    } catch (error) {
      await content.close()
      throw error
    }
  }

  return {
    name: "the disk",
    put: (name, source, description) => putFile(root, name, source, description),
    async head(name) {
      const found = await openFile(name)
      await found?.content.close()
      return found?.file ?? null
    },
    async get(name, range) {
      const found = await openFile(name)
      if (!found) return null
      const { file, content } = found
      if (file.size > 0) return { file, body: await content.read(range?.start ?? 0, range?.end ?? file.size - 1) }
      await content.close()
      return { file, body: new Uint8Array() }
    },
    async list(prefix, after, limit) {
      const files: FileEntry[] = []
      for await (const name of listNames(root, "", prefix, after)) {
        if (files.length === limit) return { files, isWhole: false }
        const stats = await stat(join(root, name)).catch(ignoreMissing)
        if (stats) files.push(toEntry(name, { size: stats.size, modified: stats.mtimeMs, inode: stats.ino }))
      }
      return { files, isWhole: true }
    },
    async delete(name) {
      const content = await source.open(name.split("/"))
      if (content === null || content === "directory") return
      await content.close()
      const target = join(root, name)
      await rm(target, { force: true })
      await rm(toDescriptionPath(target, content), { force: true })
      // Empty directories are removed, because their names may be used for files later.
      try {
        for (let parent = dirname(name); parent !== "."; parent = dirname(parent)) await rmdir(join(root, parent))
      } catch {
        // This one is not empty.
      }
    },
  }
}

async function putFile(directory: string, name: string, source: Source, description: Description): Promise<number> {
  makeDirectory(directory)
  const root = await realpath(directory)
  const target = join(root, name)
  const oldStats = await lstat(target).catch(ignoreMissing)
  try {
    const stats = await replaceFile(target, source, {
      makeDirectory: () => makeParents(root, name),
      // The description has the media type and the `Cache-Control` of this version. It is written before the version
      // appears, so that no version gets the description of another one, even if the process ends here.
      beforeRename: (stats) => writeDescription(target, stats, description),
    })
    // Within the same second, another process may be storing a version of the same size as the old one. Its
    // description must not be removed.
    if (oldStats?.isFile() && toSeconds(oldStats.mtimeMs) < toSeconds(stats.mtimeMs))
      await rm(toDescriptionPath(target, oldStats), { force: true })
    return stats.size
  } catch (error) {
    // These codes mean that there is a directory with this name.
    if (["EISDIR", "ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw filesFault("files.place", [name, name])
    throw error
  }
}

function ignoreMissing(error: unknown): null {
  if (isMissingFileError(error)) return null
  throw error
}

const isWithin = (path: string, root: string) =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)

/**
 * Creates the directories for a name. @throws FwError `files` if one of them is a file, or a link that leads out of the
 * root.
 */
async function makeParents(root: string, name: string): Promise<void> {
  let directory = root
  for (const segment of name.split("/").slice(0, -1)) {
    const path = join(directory, segment)
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
    directory = await realpath(path)
    if (!isWithin(directory, root) || !(await stat(directory)).isDirectory())
      throw filesFault("files.place", [name, relative(root, path)])
  }
}

const toEntry = (name: string, info: FileInfo & Pick<DiskFile, "inode">): FileEntry => ({
  name,
  size: info.size,
  modified: new Date(info.modified),
  // Some file systems and runtimes store only milliseconds, so two versions may have the same time. Their inodes
  // differ.
  etag: `${getTag(info)}-${info.inode.toString(36)}`,
})

/**
 * Returns the path of the description of a stored file: the file with its media type and its `Cache-Control`. A
 * description belongs to one version of the stored file, which is identified by its size and its time in whole seconds.
 * Backups keep these, but often not the fractions of seconds.
 */
function toDescriptionPath(target: string, version: Stats | FileInfo): string {
  const modified = "mtimeMs" in version ? version.mtimeMs : version.modified
  const id = `${version.size.toString(36)}-${toSeconds(modified).toString(36)}`
  return join(dirname(target), `.${basename(target)}.${id}.json`)
}

async function writeDescription(target: string, stats: Stats, { type, cacheControl }: Description): Promise<void> {
  const path = toDescriptionPath(target, stats)
  const isDefault = type === findMediaType(target) && cacheControl === undefined
  // An older version with the same size and second may have left a description.
  if (isDefault) await rm(path, { force: true })
  else await replaceFile(path, [new TextEncoder().encode(JSON.stringify({ type, cacheControl }))])
}

/**
 * Lists the names below a directory in order. Only names that begin with `prefix` and come after `after` are listed.
 */
async function* listNames(root: string, parent: string, prefix: string, after: string): AsyncGenerator<string> {
  const entries = (await readdir(join(root, parent), { withFileTypes: true }).catch(ignoreMissing)) ?? []
  const names = entries
    .filter((entry) => isFileName(entry.name) && (entry.isFile() || entry.isDirectory()))
    .map((entry) => parent + entry.name + (entry.isDirectory() ? "/" : ""))
  for (const name of names.sort()) {
    if (!name.endsWith("/")) {
      if (name.startsWith(prefix) && name > after) yield name
    } else if ((name.startsWith(prefix) || prefix.startsWith(name)) && (name > after || after.startsWith(name))) {
      yield* listNames(root, name, prefix, after)
    }
  }
}
