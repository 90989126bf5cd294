/** Sends diagnostics to editors that do not request them. */

import type { Document } from "./documents.ts"

/** The parameters of `textDocument/publishDiagnostics`. */
export interface DiagnosticsParams {
  readonly uri: string
  readonly version?: number
  readonly diagnostics: readonly unknown[]
}

/** Sends the diagnostics of all open documents after each change. */
export class DiagnosticsPublisher {
  readonly #documents: () => readonly Document[]
  readonly #find: (document: Document, signal: AbortSignal) => Promise<readonly unknown[]>
  readonly #publish: (params: DiagnosticsParams) => void
  #isEnabled = false
  #controller: AbortController | undefined

  constructor(
    documents: () => readonly Document[],
    find: (document: Document, signal: AbortSignal) => Promise<readonly unknown[]>,
    publish: (params: DiagnosticsParams) => void,
  ) {
    this.#documents = documents
    this.#find = find
    this.#publish = publish
  }

  /** Finds out from the parameters of `initialize` whether the editor requests diagnostics itself. */
  initialize(params: unknown): void {
    const { capabilities } = (params ?? {}) as { capabilities?: { textDocument?: { diagnostic?: unknown } } }
    this.#isEnabled = capabilities?.textDocument?.diagnostic === undefined
  }

  /** Sends the diagnostics of all open documents. The changed document comes first. */
  refresh(changedDocument: Document | undefined): void {
    if (!this.#isEnabled) return
    this.#controller?.abort()
    const controller = new AbortController()
    this.#controller = controller
    void this.#send(changedDocument, controller.signal)
  }

  /** Removes the diagnostics of a document that was closed. */
  clear(uri: string): void {
    if (this.#isEnabled) this.#publish({ uri, diagnostics: [] })
  }

  /** Stops sending diagnostics. */
  stop(): void {
    this.#isEnabled = false
    this.#controller?.abort()
  }

  async #send(changed: Document | undefined, signal: AbortSignal): Promise<void> {
    const others = this.#documents().filter(({ path }) => path !== changed?.path)
    for (const document of changed ? [changed, ...others] : others) {
      const { uri, version } = document
      const diagnostics = await this.#find(document, signal).catch(() => undefined)
      if (signal.aborted) return
      if (diagnostics) this.#publish({ uri, version, diagnostics })
    }
  }
}
