/** Watches the directories of a project and reports changes in bursts. */
import { type Dirent, type FSWatcher, readdirSync, type Stats, statSync, watch } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { fileFault } from "../messages/files.ts"

/** Options of a watcher. */
export interface WatchOptions {
  /** The directory to watch, including all directories below it. */
  readonly root: string
  /** Called at once for each path, maybe several times per burst. */
  readonly onEvent: (path: string) => void
  /** Called at the end of a burst with all its paths. It must return quickly. */
  readonly onBurst: (paths: ReadonlySet<string>) => void
  /** Called if a directory cannot be watched. */
  readonly onError: (error: FwError) => void
}

/** The pause that ends a burst, in milliseconds. Programs often empty a file first and then write it. */
const burstPauseMs = 2
/** The pause after many files have changed, as when a branch is checked out, in milliseconds. */
const longBurstPauseMs = 40
/** The number of changed files from which the pause is that of {@link longBurstPauseMs}. */
const manyFiles = 4
/**
 * The pause after a file has become empty, in milliseconds. On a busy machine, its writer may not run for a while.
 */
const emptyFilePauseMs = 100

/** Returns true for directories that never belong to the project. `.well-known` (RFC 8615) may contain routes. */
export function isIgnoredDirectory(name: string): boolean {
  return name === "node_modules" || (name.startsWith(".") && name !== ".well-known")
}

/** Directories for output of builds and reports, at the top of the project only. */
export const outputDirectories: readonly string[] = ["dist", "coverage"]

/** Returns true for temporary files of editors, generated files of fw, and dotfiles other than `.env`. */
function isIgnoredFile(name: string): boolean {
  return /~$|\.tpl\.ts$|\.sw[a-z]$|\.tmp$|^4913$|^\.(?!env|well-known$)|^#.*#$/.test(name)
}

/**
 * Watches the directories below a root. It watches directories and not files, because editors replace files by new
 * ones.
 */
export class ProjectWatcher {
  readonly #options: WatchOptions
  readonly #watchers = new Map<string, FSWatcher>()
  #burst = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** True if the current burst has waited for an empty file before. */
  #hasWaited = false
  #isClosed = false

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** Starts watching. */
  start(): void {
    this.#watchTree(this.#options.root, false)
  }

  /** Watches another directory, but not those below it. For files outside the project. */
  add(directory: string): void {
    this.#watch(directory)
  }

  /** Stops watching for good. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #ignores(path: string, isDirectory: boolean): boolean {
    const name = basename(path)
    if (isIgnoredDirectory(name) && (isDirectory || !name.startsWith(".env"))) return true
    if (outputDirectories.includes(name) && dirname(path) === this.#options.root) return true
    return !isDirectory && isIgnoredFile(name)
  }

  /**
   * Watches a directory and those below it. All files in a new directory count as changed. It is read at once, so that a
   * request which arrives after the files were written finds them reported.
   */
  #watchTree(directory: string, isNew: boolean): void {
    if (!this.#watch(directory)) return
    // Read after watching has started: a change in between is reported twice, but never missed.
    for (const entry of listEntries(directory)) {
      const path = join(directory, entry.name)
      if (this.#ignores(path, entry.isDirectory())) continue
      if (entry.isDirectory()) this.#watchTree(path, isNew)
      else if (isNew) this.#addToBurst(path)
    }
  }

  /**
   * Watches a single directory.
   *
   * @returns true if the directory was not watched before and is now.
   */
  #watch(directory: string): boolean {
    if (this.#isClosed || this.#watchers.has(directory)) return false
    try {
      const watcher = watch(directory, (event, name) => this.#handleEvent(directory, event, name))
      // On some systems, watching a deleted directory fails. Its parent reports the deletion.
      watcher.on("error", () => this.#unwatchTree(directory))
      this.#watchers.set(directory, watcher)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== "ENOENT" && code !== "ENOTDIR") this.#options.onError(watchError(directory, error as Error))
      return false
    }
  }

  #unwatchTree(directory: string): void {
    for (const [path, watcher] of this.#watchers) {
      if (path !== directory && !path.startsWith(join(directory, "/"))) continue
      watcher.close()
      this.#watchers.delete(path)
    }
  }

  #handleEvent(directory: string, event: string, name: string | null): void {
    // Some systems do not tell the name, so only the directory is known.
    const path = name === null ? directory : join(directory, name)
    if (this.#ignores(path, this.#watchers.has(path))) return
    if (event === "rename") this.#handleMove(path)
    this.#addToBurst(path)
  }

  /** Handles an entry that was created or deleted. A new directory must be watched. */
  #handleMove(path: string): void {
    // If a directory was replaced by another one of the same name, the old one is still watched.
    if (this.#watchers.has(path) && path !== this.#options.root) this.#unwatchTree(path)
    if (findStats(path)?.isDirectory() && !this.#ignores(path, true)) this.#watchTree(path, true)
  }

  #addToBurst(path: string): void {
    if (this.#isClosed) return
    this.#burst.add(path)
    this.#options.onEvent(path)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#endBurst(), this.#burst.size < manyFiles ? burstPauseMs : longBurstPauseMs)
  }

  #endBurst(): void {
    const paths = this.#burst
    if (!this.#hasWaited && [...paths].some(isEmptyFile)) {
      this.#hasWaited = true
      this.#timer = setTimeout(() => this.#endBurst(), emptyFilePauseMs)
      return
    }
    this.#hasWaited = false
    this.#burst = new Set()
    this.#options.onBurst(paths)
  }
}

function isEmptyFile(path: string): boolean {
  const found = findStats(path)
  return found?.isFile() === true && found.size === 0
}

/** Returns the facts about a path; undefined if it is gone or cannot be read. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Returns the entries of a directory; none if it is gone or cannot be read. */
function listEntries(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

function watchError(directory: string, cause: Error & { code?: string }): FwError {
  const isFull = cause.code === "ENOSPC" || cause.code === "EMFILE"
  return fileFault("watch", [directory, cause.message, isFull], { cause })
}
