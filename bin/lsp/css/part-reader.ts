/** Parses the CSS of open templates with the CSS language service, which is loaded on first use. */

import type { CSSService, Stylesheet } from "#vendor/css-service"
import type { OpenTemplate } from "../feature.ts"
import type { TemplateFile } from "../template-file.ts"
import { PartDocument } from "./part-document.ts"

/** The parsed CSS of one element or attribute of a template. */
export interface ParsedPart {
  readonly service: CSSService
  readonly document: PartDocument
  readonly sheet: Stylesheet
}

/** Parses the CSS of templates, and caches it. A changed template is a new object. */
export class PartReader {
  readonly #documents = new WeakMap<TemplateFile, readonly PartDocument[]>()
  #service: Promise<CSSService> | undefined

  /** Returns the documents for the CSS of a template. */
  getDocuments(open: OpenTemplate): readonly PartDocument[] {
    const documents =
      this.#documents.get(open.template) ?? open.template.shadow.styles.map((part) => new PartDocument(open, part))
    this.#documents.set(open.template, documents)
    return documents
  }

  /** Parses a document. */
  async read(document: PartDocument): Promise<ParsedPart> {
    this.#service ??= import("#vendor/css-service").then(({ getCSSService }) => getCSSService())
    const service = await this.#service
    return { service, document, sheet: service.parseStylesheet(document) }
  }
}
