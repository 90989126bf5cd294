/** Watches a project's directories, one by one, and reports changes in bursts. */
import { type FSWatcher, statSync, watch } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { fileFault } from "../messages/files.ts"

/** Options of a watcher. */
export interface WatchOptions {
  /** The directory to watch, with everything below it. */
  readonly root: string
  /** Called for each path at once, maybe several times per burst. */
  readonly onEvent: (path: string) => void
  /** Called at the end of a burst with its paths, each once. It must return at once. */
  readonly onBurst: (paths: ReadonlySet<string>) => void
  /** Called for a directory that cannot be watched. */
  readonly onError: (error: FwError) => void
}

/** Pause that ends a burst, in milliseconds, because a file is often emptied first and written then. */
const burstPauseMs = 2
/** The same if many files change, as after checking out a branch. */
const longBurstPauseMs = 40
const manyFiles = 4
/** The same if a file is empty: a writer that has emptied it may not run for a while on a busy machine. */
const emptyFilePauseMs = 100

/**
 * Returns true for directories with nothing of the project, anywhere. `.well-known` (RFC 8615) contains
 * routes.
 */
export function isIgnoredDirectory(name: string): boolean {
  return name === "node_modules" || (name.startsWith(".") && name !== ".well-known")
}

/** Output of builds and reports, only at the top level. */
export const outputDirectories: readonly string[] = ["dist", "coverage"]

/** Returns true for temporary files of editors, files of fw, and dotfiles other than `.env`. */
function isIgnoredFile(name: string): boolean {
  return /~$|\.tpl\.ts$|\.sw[a-z]$|\.tmp$|^4913$|^\.(?!env|well-known$)|^#.*#$/.test(name)
}

/**
 * Watches the directories below a root. Directories, not files, because editors replace a file by a new one.
 */
export class ProjectWatcher {
  readonly #options: WatchOptions
  readonly #watchers = new Map<string, FSWatcher>()
  #burst = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** True if the burst has waited for an empty file. */
  #hasWaited = false
  #isClosed = false

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** Starts; resolves when every directory is watched. */
  async start(): Promise<void> {
    await this.#watchTree(this.#options.root, false)
  }

  /** Also watches another directory, without those below it, for files outside the project. */
  add(directory: string): void {
    this.#watch(directory)
  }

  /** Stops for good. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #ignores(path: string, directory: boolean): boolean {
    const name = basename(path)
    if (isIgnoredDirectory(name) && (directory || !name.startsWith(".env"))) return true
    if (outputDirectories.includes(name) && dirname(path) === this.#options.root) return true
    return !directory && isIgnoredFile(name)
  }

  /** Watches a directory and those below. The content of a new one counts as changed. */
  async #watchTree(directory: string, isNew: boolean): Promise<void> {
    if (!this.#watch(directory)) return
    // Read after the watch is set, so that changes between are reported twice rather than never.
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
    const inner: Promise<void>[] = []
    for (const entry of entries) {
      const path = join(directory, entry.name)
      if (this.#ignores(path, entry.isDirectory())) continue
      if (entry.isDirectory()) inner.push(this.#watchTree(path, isNew))
      else if (isNew) this.#addToBurst(path)
    }
    await Promise.all(inner)
  }

  /** Watches one directory. @returns true if it was not watched before and is now. */
  #watch(directory: string): boolean {
    if (this.#isClosed || this.#watchers.has(directory)) return false
    try {
      const watcher = watch(directory, (event, name) => this.#handleEvent(directory, event, name))
      // A watched directory that is deleted fails on some systems; its parent reports the deletion.
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
    // Some systems give no name: then only the directory is known to have changed.
    const path = name === null ? directory : join(directory, name)
    if (this.#ignores(path, this.#watchers.has(path))) return
    if (event === "rename") void this.#handleMove(path)
    this.#addToBurst(path)
  }

  /** Handles an entry that appeared or disappeared: a directory needs a watch. */
  async #handleMove(path: string): Promise<void> {
    const found = await stat(path).catch(() => null)
    const directory = found?.isDirectory() ?? false
    // If a directory was replaced by another with its name, the watch is on the old one.
    if (this.#watchers.has(path) && path !== this.#options.root) this.#unwatchTree(path)
    if (directory && !this.#ignores(path, true)) await this.#watchTree(path, true)
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
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isFile() === true && found.size === 0
  } catch {
    // It may not be read, which is reported where it is needed.
    return false
  }
}

function watchError(directory: string, cause: Error & { code?: string }): FwError {
  const isFull = cause.code === "ENOSPC" || cause.code === "EMFILE"
  return fileFault("watch", [directory, cause.message, isFull], { cause })
}
