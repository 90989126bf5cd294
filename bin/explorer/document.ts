/** The document that the explorer shows, kept up to date: made from the project, or read from a file. Used by `fw openapi serve`. */
import type { FwError } from "../../lib/errors.ts"
import { failureData, placeOf } from "../cli/failure.ts"
import { ProjectWatcher } from "../system/watch.ts"
import type { Shown } from "./server.ts"

/** Where a document comes from. */
export interface DocumentSource {
  /** Makes it anew. @throws FwError for what is wrong with the project or the file. */
  read(): Promise<unknown>
  /** The directory to watch. */
  readonly directory: string
  /** Whether directories below are watched too. */
  readonly deep: boolean
  /** Whether a change of this file may change the document. */
  concerns(path: string): boolean
}

/** Reads a document, and again whenever something changes. A failure keeps the last good one. */
export class LiveDocument {
  readonly #source: DocumentSource
  readonly #onShown: (shown: Shown) => void
  readonly #watcher: ProjectWatcher
  #last = ""
  #document: unknown
  #running: Promise<void> | undefined
  #again = false

  /** @param onShown is told of what is new: another document, or what is wrong. */
  constructor(source: DocumentSource, onShown: (shown: Shown) => void, onError: (error: FwError) => void) {
    this.#source = source
    this.#onShown = onShown
    this.#watcher = new ProjectWatcher({
      root: source.directory,
      onEvent: () => {},
      onBurst: (paths) => {
        if ([...paths].some((path) => source.concerns(path))) this.#update()
      },
      onError,
    })
  }

  /** The first document. From then on changes are told. @throws FwError */
  async open(): Promise<Shown> {
    // Watched before it is read: what changes meanwhile is read again.
    if (this.#source.deep) await this.#watcher.start()
    else this.#watcher.add(this.#source.directory)
    this.#document = await this.#source.read()
    const shown = { document: this.#document, problem: null }
    this.#last = JSON.stringify(shown)
    return shown
  }

  /** Stops watching. */
  async close(): Promise<void> {
    this.#watcher.close()
    await this.#running
  }

  #update(): void {
    this.#again = true
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined
    })
  }

  async #work(): Promise<void> {
    while (this.#again) {
      this.#again = false
      const shown = await this.#shown()
      const text = JSON.stringify(shown)
      if (text !== this.#last) this.#onShown(shown)
      this.#last = text
    }
  }

  async #shown(): Promise<Shown> {
    try {
      this.#document = await this.#source.read()
      return { document: this.#document, problem: null }
    } catch (error) {
      return { document: this.#document, problem: problemText(error) }
    }
  }
}

function problemText(error: unknown): string {
  const { problems, ...one } = failureData(error)
  return (problems ?? [one]).map(({ at, message, fix }) => `${placeOf(at)}${message}\n${fix}`).join("\n\n")
}
