/** The documents that the editor has open, by the path of their file. */

import { pathToFileURL } from "node:url"
import { toPath } from "./paths.ts"
import type { ContentChange } from "./protocol.ts"
import { SourceText } from "./source-text.ts"

/** An open document. */
export interface Document {
  /** The URI in the editor's spelling. */
  readonly uri: string
  readonly path: string
  readonly languageID: string
  readonly version: number
  readonly text: SourceText
}

/** Keeps the open documents as the editor's notifications describe them. */
export class Documents {
  readonly #open = new Map<string, Document>()

  /** Returns an open document. */
  get(path: string | undefined): Document | undefined {
    return path === undefined ? undefined : this.#open.get(path)
  }

  /** Returns all open documents. */
  all(): Iterable<Document> {
    return this.#open.values()
  }

  /** Opens a document. */
  open(item: { uri: string; languageId: string; version: number; text: string }): Document | undefined {
    const path = toPath(item.uri)
    if (path === undefined) return undefined
    const { uri, languageId: languageID, version } = item
    const document = { uri, path, languageID, version, text: new SourceText(item.text) }
    this.#open.set(path, document)
    return document
  }

  /** Changes an open document. Each change applies to the text after the one before it. */
  change(uri: string, version: number, changes: readonly ContentChange[]): Document | undefined {
    const document = this.get(toPath(uri))
    if (!document) return undefined
    const text = changes.reduce((before, change) => before.applyChange(change), document.text)
    const next = { ...document, version, text }
    this.#open.set(next.path, next)
    return next
  }

  /** Closes a document and returns it. */
  close(uri: string): Document | undefined {
    const document = this.get(toPath(uri))
    if (document) this.#open.delete(document.path)
    return document
  }

  /** Returns the URI of a file: the editor's own spelling if it is open. */
  toURI(path: string): string {
    return this.#open.get(path)?.uri ?? pathToFileURL(path).href
  }
}
