/** The CSS of the open templates, read by the language service of CSS, which is loaded when it is first needed. */

import type { CSSService, Stylesheet } from "#vendor/css-service"
import type { OpenTemplate } from "../feature.ts"
import type { TemplateFile } from "../template-file.ts"
import { PartDocument } from "./part-document.ts"

/** A part as the service reads it. */
export interface PartReading {
  readonly service: CSSService
  readonly document: PartDocument
  readonly sheet: Stylesheet
}

/** Reads the parts of templates. After each change, a template is a new object. */
export class PartReader {
  readonly #documents = new WeakMap<TemplateFile, readonly PartDocument[]>()
  #service: Promise<CSSService> | undefined

  /** Returns the parts of a template. */
  getDocuments(open: OpenTemplate): readonly PartDocument[] {
    const documents =
      this.#documents.get(open.template) ?? open.template.shadow.styles.map((part) => new PartDocument(open, part))
    this.#documents.set(open.template, documents)
    return documents
  }

  /** Reads a part. */
  async read(document: PartDocument): Promise<PartReading> {
    this.#service ??= import("#vendor/css-service").then(({ getCSSService }) => getCSSService())
    const service = await this.#service
    return { service, document, sheet: service.parseStylesheet(document) }
  }
}
