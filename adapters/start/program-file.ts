/** Watches the file of a program, and notices when another file takes its place. */
import { statSync } from "node:fs"

/** Milliseconds between two checks of the file. */
const checkIntervalMs = 1000

/**
 * The file that the workers run. This class remembers the state of the file at the start. `fs.watchFile()` would miss a
 * change while the workers start, because it first looks at the file later.
 */
export class ProgramFile {
  readonly path: string
  #knownState: string | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.path = path
    this.#knownState = this.#readState()
  }

  /** Calls a function when another file has taken the place of the program's file and is complete. */
  watch(onReplaced: () => void): void {
    let settleTimer: NodeJS.Timeout | undefined
    const check = () => {
      const state = this.#readState()
      if (state === this.#knownState) return
      this.#knownState = state
      clearTimeout(settleTimer)
      // The file may be missing for a moment while it is replaced. A new file may still grow, so each change starts the
      // waiting again.
      if (state !== undefined) settleTimer = setTimeout(onReplaced, 2 * checkIntervalMs).unref()
    }
    this.#timer = setInterval(check, checkIntervalMs).unref()
  }

  unwatch(): void {
    clearInterval(this.#timer)
  }

  /** Returns a text that changes when another file takes the place; undefined if there is no file. */
  #readState(): string | undefined {
    const stats = statSync(this.path, { throwIfNoEntry: false })
    return stats && `${stats.ino} ${stats.mtimeMs} ${stats.size}`
  }
}
