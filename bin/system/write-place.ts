/** Checks before every write what exists at a path, and where links in the path lead. */
import type { Stats } from "node:fs"
import { access, constants, lstat, readlink, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { fileFault } from "../messages/files.ts"
import { isInside } from "./path-containment.ts"

/** A file or directory to write, and the errors to report. */
export interface WritePlace {
  /**
   * The project. A link in a path below it must not lead outside. `null` for a path outside projects, such as one
   * in a cache.
   */
  readonly root: string | null
  /** Absolute path, or relative to the root. */
  readonly path: string
  /** The code of the error. Default: `unwritable`. */
  readonly code?: string
  /** The code of the error for a full disk. Default: that in `code`. */
  readonly fullCode?: string
  /** The fix. Default: a fix for any file. */
  readonly fix?: string
}

/** The number of links to follow in a path. No system allows more (Linux: 40). */
const maxLinks = 40

/**
 * Returns the path to which a file is really written. Links are followed, so that a link stays and its target is
 * replaced.
 *
 * @returns the absolute path with links resolved.
 * @throws FwError for a device, named pipe, socket or directory, and for a link that leads outside the project.
 */
export async function resolveFilePath(place: WritePlace): Promise<string> {
  return resolvePlace(place, (stats) => stats.isFile())
}

/**
 * Does the same as {@link resolveFilePath} for a directory.
 *
 * @throws FwError as {@link resolveFilePath} does, also for a file.
 */
export async function resolveDirectoryPath(place: WritePlace): Promise<string> {
  return resolvePlace(place, (stats) => stats.isDirectory())
}

/**
 * Returns the path of an entry that may be a link, so that the link itself is removed or replaced.
 *
 * @throws FwError if a parent directory is outside the project.
 */
export async function resolveEntryPath(place: WritePlace): Promise<string> {
  const path = toAbsolutePath(place)
  return join(await resolveDirectoryPath({ ...place, path: dirname(path) }), basename(path))
}

/**
 * Checks that this user may write to a path. Called before any work. Creates nothing.
 *
 * @returns the nearest existing directory.
 * @throws FwError if that directory is not writable.
 */
export async function checkWritable(place: WritePlace): Promise<string> {
  const path = toAbsolutePath(place)
  try {
    const nearest = await findNearestDirectory(path)
    await access(nearest, constants.W_OK)
    return nearest
  } catch (error) {
    throw unwritableError(place, error)
  }
}

async function findNearestDirectory(path: string): Promise<string> {
  const parent = dirname(path)
  const found = parent === path || (await stat(parent).catch(ignoreMissing))
  return found ? parent : findNearestDirectory(parent)
}

async function resolvePlace(place: WritePlace, isExpected: (stats: Stats) => boolean): Promise<string> {
  const path = toAbsolutePath(place)
  try {
    // stat() also follows links below /proc that have no path.
    const stats = await stat(path).catch(ignoreMissing)
    if (stats && !isExpected(stats)) throw wrongKindError(place, stats)
    const real = await followLinks(path, maxLinks)
    if (!(await isAllowedPath(real, path, place.root)))
      throw outsideError(place, await findLeavingLink(path, place.root))
    return real
  } catch (error) {
    throw error instanceof FwError ? error : unwritableError(place, error)
  }
}

function toAbsolutePath({ root, path }: WritePlace): string {
  return root === null ? resolve(path) : resolve(root, path)
}

/** Follows links, also one whose target does not exist yet. */
async function followLinks(path: string, links: number): Promise<string> {
  const stats = await lstat(path).catch(ignoreMissing)
  if (!stats) {
    const parent = dirname(path)
    return parent === path ? path : join(await followLinks(parent, links), basename(path))
  }
  const real = await realpath(path).catch(ignoreMissing)
  if (real !== null) return real
  if (links === 0) throw new Error("too many symbolic links")
  return followLinks(resolve(await realpath(dirname(path)), await readlink(path)), links - 1)
}

/** Returns true if a resolved path is allowed. A path outside the project that the user has given is allowed. */
async function isAllowedPath(real: string, path: string, root: string | null): Promise<boolean> {
  if (root === null || !isInside(path, resolve(root))) return true
  return isInside(real, await realpath(root).catch(() => resolve(root)))
}

/** Returns the link in a path that leads outside the project, for the message. */
async function findLeavingLink(path: string, root: string | null): Promise<string> {
  const top = resolve(root ?? "/")
  let current = top
  for (const name of relative(top, path).split(sep)) {
    current = join(current, name)
    const stats = await lstat(current).catch(ignoreMissing)
    if (stats?.isSymbolicLink() && !(await isAllowedPath(await followLinks(current, maxLinks), current, root)))
      return current
  }
  return path
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null
  throw error
}

/** Returns a path for messages. A path inside the project is relative to it. */
export function formatPlace(place: WritePlace): string {
  const path = toAbsolutePath(place)
  if (place.root === null || !isInside(path, resolve(place.root))) return path
  return relative(resolve(place.root), path).split(sep).join("/") || "."
}

function describeKind(stats: Stats): string {
  if (stats.isDirectory()) return "a directory"
  if (stats.isFIFO()) return "a named pipe"
  if (stats.isSocket()) return "a socket"
  return stats.isFile() ? "a file" : "a device"
}

function wrongKindError(place: WritePlace, stats: Stats): FwError {
  const expectedType = stats.isFile() ? "a directory" : "a file"
  return fileFault(
    "unwritable.kind",
    [formatPlace(place), describeKind(stats), expectedType, place.fix],
    toCodeOption(place.code),
  )
}

function outsideError(place: WritePlace, link: string): FwError {
  const facts = [formatPlace(place), formatPlace({ ...place, path: link }), place.fix] as const
  return fileFault("outside.link", [...facts], toCodeOption(place.code))
}

/**
 * Returns the error if the system refuses to write, for example because the disk is full or write permission is
 * missing.
 */
export function unwritableError(place: WritePlace, cause: unknown): FwError {
  const { code } = cause as NodeJS.ErrnoException
  const [displayPath, reason] = [formatPlace(place), describeCause(cause)]
  if (code === "ENOSPC" || code === "EDQUOT")
    return fileFault("unwritable.full", [displayPath, reason], {
      ...toCodeOption(place.fullCode ?? place.code),
      cause,
    })
  return fileFault("unwritable", [displayPath, reason, place.fix], { ...toCodeOption(place.code), cause })
}

/** Returns the system's message without the name of the temporary file. */
function describeCause(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === "ENOTDIR") return "a part of its path is a file, not a directory"
  return message.replace(/, \w+(?: '.*)?$/s, "")
}

function toCodeOption(code: string | undefined): { readonly code?: string } {
  return code === undefined ? {} : { code }
}
