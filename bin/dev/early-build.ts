/** Begins a build with the first event of a change. Its result counts only when the burst of events has ended. */
import { statSync } from "node:fs"

/** Builds that begin within one burst. After a checkout of many files, each would be dropped. */
const most = 3

/** The files of the program in the current burst of events. */
export class EarlyBuild {
  readonly #begin: (paths: ReadonlySet<string>) => void
  /** Files for which a build begins after the current events. */
  #fresh = new Set<string>()
  /** Files for which a build has begun since their last event. */
  readonly #begun = new Set<string>()
  #builds = 0
  #settled: Promise<void> | undefined
  #settle = () => {}

  /** Creates it. @param begin begins a build of changed files. */
  constructor(begin: (paths: ReadonlySet<string>) => void) {
    this.#begin = begin
  }

  /** Resolves when the burst has ended; undefined if there is none. */
  get settled(): Promise<void> | undefined {
    return this.#settled
  }

  /** Handles an event of a file of the program. */
  note(path: string): void {
    this.#settled ??= new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#begun.delete(path)
    if (this.#builds >= most || !hasContent(path)) return
    // Further events of the same moment come first.
    if (this.#fresh.size === 0) setImmediate(() => this.#start())
    this.#fresh.add(path)
  }

  /** Handles the end of a burst. @returns those of its files for which no build has begun. */
  end(paths: readonly string[]): string[] {
    const rest = paths.filter((path) => !this.#begun.has(path))
    this.#fresh.clear()
    this.#begun.clear()
    this.#builds = 0
    this.#settled = undefined
    this.#settle()
    return rest
  }

  #start(): void {
    const paths = this.#fresh
    if (paths.size === 0) return
    this.#fresh = new Set()
    this.#builds += 1
    for (const path of paths) this.#begun.add(path)
    this.#begin(paths)
  }
}

/** Returns false for a file that an editor has emptied or moved away, and writes next. */
function hasContent(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size > 0
}
