/** Keeps the explorer's document up to date. */
import type { FwError } from "../../lib/errors.ts"
import { formatLocation, toFailureData } from "../cli/failure.ts"
import { ProjectWatcher } from "../system/watch.ts"
import type { ExplorerState } from "./server.ts"

/** A source of the document. */
export interface DocumentSource {
  /**
   * Reads or generates the document.
   *
   * @throws FwError for a mistake in the project or the file.
   */
  read(): Promise<unknown>
  /** The directory to watch. */
  readonly directory: string
  /** True to watch its subdirectories too. */
  readonly isRecursive: boolean
  /** Returns true if a change of the file may change the document. */
  dependsOn(path: string): boolean
}

/** Reads a document, and again after every change. After an error, the last valid document is kept. */
export class LiveDocument {
  readonly #source: DocumentSource
  readonly #onChange: (state: ExplorerState) => void
  readonly #watcher: ProjectWatcher
  #lastText = ""
  #document: unknown
  #reading: Promise<void> | undefined
  #mustReadAgain = false

  /**
   * Creates the document. Nothing is read before `open()`.
   *
   * @param onChange called with a new document or an error.
   */
  constructor(source: DocumentSource, onChange: (state: ExplorerState) => void, onError: (error: FwError) => void) {
    this.#source = source
    this.#onChange = onChange
    this.#watcher = new ProjectWatcher({
      root: source.directory,
      onEvent: () => {},
      onBurst: (paths) => {
        if ([...paths].some((path) => source.dependsOn(path))) this.#update()
      },
      onError,
    })
  }

  /**
   * Returns the first document and starts watching.
   *
   * @throws FwError for a mistake in the project or the file.
   */
  async open(): Promise<ExplorerState> {
    // Watches before it reads, so that no change is missed.
    if (this.#source.isRecursive) this.#watcher.start()
    else this.#watcher.add(this.#source.directory)
    this.#document = await this.#source.read()
    const state = { document: this.#document, problem: null }
    this.#lastText = JSON.stringify(state)
    return state
  }

  async close(): Promise<void> {
    this.#watcher.close()
    await this.#reading
  }

  #update(): void {
    this.#mustReadAgain = true
    this.#reading ??= this.#readUntilCurrent().finally(() => {
      this.#reading = undefined
    })
  }

  async #readUntilCurrent(): Promise<void> {
    while (this.#mustReadAgain) {
      this.#mustReadAgain = false
      const state = await this.#readState()
      const text = JSON.stringify(state)
      if (text !== this.#lastText) this.#onChange(state)
      this.#lastText = text
    }
  }

  async #readState(): Promise<ExplorerState> {
    try {
      this.#document = await this.#source.read()
      return { document: this.#document, problem: null }
    } catch (error) {
      return { document: this.#document, problem: formatProblem(error) }
    }
  }
}

function formatProblem(error: unknown): string {
  const { problems, ...one } = toFailureData(error)
  return (problems ?? [one]).map(({ at, message, fix }) => `${formatLocation(at)}${message}\n${fix}`).join("\n\n")
}
