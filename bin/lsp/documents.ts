/** The documents that are open in the editor, by path. */

import { pathToFileURL } from "node:url"
import { toPath } from "./paths.ts"
import type { ContentChange } from "./protocol.ts"
import { SourceText } from "./source-text.ts"

/** An open document. */
export interface Document {
  /** The URI as the editor writes it. */
  readonly uri: string
  readonly path: string
  readonly languageID: string
  readonly version: number
  readonly text: SourceText
}

/** Keeps the open documents up to date with the editor's notifications. */
export class Documents {
  readonly #open = new Map<string, Document>()

  /** Returns the open document at a path. */
  get(path: string | undefined): Document | undefined {
    return path === undefined ? undefined : this.#open.get(path)
  }

  list(): Iterable<Document> {
    return this.#open.values()
  }

  open(item: { uri: string; languageId: string; version: number; text: string }): Document | undefined {
    const path = toPath(item.uri)
    if (path === undefined) return undefined
    const { uri, languageId: languageID, version } = item
    const document = { uri, path, languageID, version, text: new SourceText(item.text) }
    this.#open.set(path, document)
    return document
  }

  /** Changes an open document. Each change applies to the result of the one before. */
  change(uri: string, version: number, changes: readonly ContentChange[]): Document | undefined {
    const document = this.get(toPath(uri))
    if (!document) return undefined
    const text = changes.reduce((before, change) => before.applyChange(change), document.text)
    const next = { ...document, version, text }
    this.#open.set(next.path, next)
    return next
  }

  close(uri: string): Document | undefined {
    const document = this.get(toPath(uri))
    if (document) this.#open.delete(document.path)
    return document
  }

  /** Returns the URI of a file, as the editor writes it if the file is open. */
  toURI(path: string): string {
    return this.#open.get(path)?.uri ?? pathToFileURL(path).href
  }
}
