/** The document that the explorer shows, kept up to date: made from the project, or read from a file. */
import type { FwError } from "../../lib/errors.ts"
import { failureData, placeOf } from "../cli/failure.ts"
import { ProjectWatcher } from "../system/watch.ts"
import type { Shown } from "./server.ts"

/** A source of a document. */
export interface DocumentSource {
  /** Reads or makes the document. @throws FwError for an error in the project or the file. */
  read(): Promise<unknown>
  /** The directory to watch. */
  readonly directory: string
  /** True to watch the directories below it too. */
  readonly deep: boolean
  /** Returns true if a change of this file may change the document. */
  concerns(path: string): boolean
}

/** Reads a document, and reads it again after every change. After an error, it keeps the last good one. */
export class LiveDocument {
  readonly #source: DocumentSource
  readonly #onShown: (shown: Shown) => void
  readonly #watcher: ProjectWatcher
  #last = ""
  #document: unknown
  #running: Promise<void> | undefined
  #again = false

  /**
   * Creates it.
   *
   * @param onShown receives another document, or an error.
   */
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

  /** Returns the first document and begins to watch. @throws FwError */
  async open(): Promise<Shown> {
    // Watched before it is read, so that changes meanwhile are noticed.
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
