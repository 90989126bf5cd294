/** Checks before every write: what exists at a path, and where the path really leads. */
import type { Stats } from "node:fs"
import { access, constants, lstat, readlink, realpath, stat } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { fileFault } from "../messages/files.ts"
import { isInside } from "./path-containment.ts"

/** A file or directory to write. */
export interface WritePlace {
  /**
   * The project. A path below it must not leave it through a symbolic link. `null` for a path outside
   * projects, such as one in a cache.
   */
  readonly root: string | null
  /** Absolute, or relative to the root. */
  readonly path: string
  /** The code of the error. Default: `unwritable`. */
  readonly code?: string
  /** The code of the error for a full disk. Default: the same. */
  readonly fullCode?: string
  /** The fix of the error. Default: a fix for any file. */
  readonly instead?: string
}

/** No file system has more links in one path (Linux stops at 40). */
const mostLinks = 40

/**
 * Returns the real path of a file: links are followed, so that a link stays a link and its target is
 * replaced.
 *
 * @returns its absolute path, with links resolved.
 * @throws FwError for a device, a named pipe, a socket or a directory, and for a link that leads outside the
 * project.
 */
export async function filePlace(place: WritePlace): Promise<string> {
  return checked(place, (found) => found.isFile())
}

/** Does the same for a directory. @throws FwError as {@link filePlace} does, also for a file. */
export async function directoryPlace(place: WritePlace): Promise<string> {
  return checked(place, (found) => found.isDirectory())
}

/**
 * Returns the path of an entry itself, which may be a link, to remove or replace only that. @throws FwError
 * for a parent outside the project.
 */
export async function entryPlace(place: WritePlace): Promise<string> {
  const path = absolute(place)
  return join(await directoryPlace({ ...place, path: dirname(path) }), basename(path))
}

/**
 * Checks, before any work, that this user may write to a path. Creates nothing.
 *
 * @returns the nearest existing directory.
 * @throws FwError if that directory is not writable.
 */
export async function checkWritable(place: WritePlace): Promise<string> {
  const path = absolute(place)
  try {
    const nearest = await nearestDirectory(path)
    await access(nearest, constants.W_OK)
    return nearest
  } catch (error) {
    throw unwritable(place, error)
  }
}

async function nearestDirectory(path: string): Promise<string> {
  const above = dirname(path)
  const found = above === path || (await stat(above).catch(absent))
  return found ? above : nearestDirectory(above)
}

async function checked(place: WritePlace, fits: (found: Stats) => boolean): Promise<string> {
  const path = absolute(place)
  try {
    // The system follows links here, also those below /proc that have no path.
    const found = await stat(path).catch(absent)
    if (found && !fits(found)) throw wrongKind(place, found)
    const real = await followed(path, mostLinks)
    if (!(await stays(real, path, place.root))) throw outside(place, await leavingLink(path, place.root))
    return real
  } catch (error) {
    throw error instanceof FwError ? error : unwritable(place, error)
  }
}

function absolute({ root, path }: WritePlace): string {
  return root === null ? resolve(path) : resolve(root, path)
}

/** Follows links, also one to a target that does not exist yet. */
async function followed(path: string, links: number): Promise<string> {
  const found = await lstat(path).catch(absent)
  if (!found) {
    const parent = dirname(path)
    return parent === path ? path : join(await followed(parent, links), basename(path))
  }
  const real = await realpath(path).catch(absent)
  if (real !== null) return real
  if (links === 0) throw new Error("too many symbolic links")
  return followed(resolve(await realpath(dirname(path)), await readlink(path)), links - 1)
}

/** Returns true if the path is allowed. A path that was given outside the project is the user's own choice. */
async function stays(real: string, path: string, root: string | null): Promise<boolean> {
  if (root === null || !isInside(path, resolve(root))) return true
  return isInside(real, await realpath(root).catch(() => resolve(root)))
}

/** Returns the link through which a path leaves the project, for the message. */
async function leavingLink(path: string, root: string | null): Promise<string> {
  const top = resolve(root ?? "/")
  let at = top
  for (const name of relative(top, path).split(sep)) {
    at = join(at, name)
    const found = await lstat(at).catch(absent)
    if (found?.isSymbolicLink() && !(await stays(await followed(at, mostLinks), at, root))) return at
  }
  return path
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null
  throw error
}

/** Returns a path for messages: relative to the project if it is inside. */
export function shownPlace(place: WritePlace): string {
  const path = absolute(place)
  if (place.root === null || !isInside(path, resolve(place.root))) return path
  return relative(resolve(place.root), path).split(sep).join("/") || "."
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return "a directory"
  if (found.isFIFO()) return "a named pipe"
  if (found.isSocket()) return "a socket"
  return found.isFile() ? "a file" : "a device"
}

function wrongKind(place: WritePlace, found: Stats): FwError {
  const wanted = found.isFile() ? "a directory" : "a file"
  return fileFault(
    "unwritable.kind",
    [shownPlace(place), kindOf(found), wanted, place.instead],
    codeOf(place.code),
  )
}

function outside(place: WritePlace, link: string): FwError {
  const facts = [shownPlace(place), shownPlace({ ...place, path: link }), place.instead] as const
  return fileFault("outside.link", [...facts], codeOf(place.code))
}

/**
 * Returns the error for a refusal of the system, such as a full disk or a directory without write permission.
 */
export function unwritable(place: WritePlace, cause: unknown): FwError {
  const { code } = cause as NodeJS.ErrnoException
  const [shown, reason] = [shownPlace(place), reasonOf(cause)]
  if (code === "ENOSPC" || code === "EDQUOT")
    return fileFault("unwritable.full", [shown, reason], { ...codeOf(place.fullCode ?? place.code), cause })
  return fileFault("unwritable", [shown, reason, place.instead], { ...codeOf(place.code), cause })
}

/** Returns the system's message, without the name of a temporary file. */
function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === "ENOTDIR") return "a part of its path is a file, not a directory"
  return message.replace(/, \w+(?: '.*)?$/s, "")
}

function codeOf(code: string | undefined): { readonly code?: string } {
  return code === undefined ? {} : { code }
}
