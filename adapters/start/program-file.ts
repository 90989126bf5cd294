/** The file of a program, and when another one is in its place. */
import { statSync } from "node:fs"

/** Interval between looks at the file, in milliseconds. */
const checkIntervalMs = 1000

/**
 * The file that workers run. `fs.watchFile()` would miss a change while they start, because it comes before its first
 * look. This class remembers the file from the beginning.
 */
export class ProgramFile {
  readonly path: string
  #knownState: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.path = path
    this.#knownState = this.#readState()
  }

  /** Calls a function whenever another file has taken its place and no longer grows. */
  watch(onReplaced: () => void): void {
    let settleTimer: NodeJS.Timeout | undefined
    const look = () => {
      const now = this.#readState()
      if (now === this.#knownState) return
      this.#knownState = now
      clearTimeout(settleTimer)
      // It was removed, and its successor is not there yet. A file may still grow, so the wait begins again with each change.
      if (now !== undefined) settleTimer = setTimeout(onReplaced, 2 * checkIntervalMs).unref()
    }
    this.#timer = setInterval(look, checkIntervalMs).unref()
  }

  unwatch(): void {
    clearInterval(this.#timer)
  }

  /** Returns a text that changes when another file takes the place; undefined if there is none. */
  #readState(): string | undefined {
    const stats = statSync(this.path, { throwIfNoEntry: false })
    return stats && `${stats.ino} ${stats.mtimeMs} ${stats.size}`
  }
}
