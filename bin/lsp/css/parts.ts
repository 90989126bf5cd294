/** The CSS of the open templates, read by the language service of CSS, which is loaded when it is first needed. */

import type { CSSService, Stylesheet } from "#vendor/css-service"
import type { OpenTemplate } from "../feature.ts"
import type { TemplateFile } from "../template-file.ts"
import { PartDocument } from "./part.ts"
import { type Problem, problemsIn } from "./problems.ts"

/** A part as the service reads it. */
export interface Read {
  readonly service: CSSService
  readonly document: PartDocument
  readonly sheet: Stylesheet
}

/** Facts about a text. */
interface Known {
  sheet?: Stylesheet
  problems?: readonly Problem[]
}

/** Keeps what was read of each part, so that a change of one part does not read the others again. */
export class Parts {
  readonly #documents = new WeakMap<TemplateFile, readonly PartDocument[]>()
  /** Facts by the path of the template and the text of the part. */
  readonly #known = new Map<string, Map<string, Known>>()
  #service: Promise<CSSService> | undefined

  /** Forgets what was read. */
  clear(): void {
    this.#known.clear()
  }

  /** Returns the parts of a template. */
  of(open: OpenTemplate): readonly PartDocument[] {
    const found = this.#documents.get(open.template)
    if (found) return found
    const documents = open.template.shadow.styles.map((part) => new PartDocument(open, part))
    this.#documents.set(open.template, documents)
    const before = this.#known.get(open.path)
    const texts = documents.map((document) => document.getText())
    this.#known.set(open.path, new Map(texts.map((text) => [text, before?.get(text) ?? {}])))
    return documents
  }

  /** Reads a part. */
  async read(open: OpenTemplate, document: PartDocument): Promise<Read> {
    this.#service ??= import("#vendor/css-service").then(({ getCSSService }) => getCSSService())
    const service = await this.#service
    const known = this.#knownOf(open, document)
    known.sheet ??= service.parseStylesheet(document)
    return { service, document, sheet: known.sheet }
  }

  /** Returns what is wrong in a part. */
  async problems(open: OpenTemplate, document: PartDocument): Promise<readonly Problem[]> {
    const known = this.#knownOf(open, document)
    known.problems ??= problemsIn(await this.read(open, document))
    return known.problems
  }

  #knownOf({ path }: OpenTemplate, document: PartDocument): Known {
    const texts = this.#known.get(path) ?? new Map<string, Known>()
    const known = texts.get(document.getText()) ?? {}
    this.#known.set(path, texts.set(document.getText(), known))
    return known
  }
}
