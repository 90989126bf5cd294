/** Editor features for the CSS in templates: in `<style>` and in `style="…"`. */

import { EditorItems } from "../editor-items.ts"
import type { Feature, OpenTemplate } from "../feature.ts"
import type { Diagnostic, DocumentParams, Position, Range } from "../protocol.ts"
import { findOwnNames } from "./own-names.ts"
import { type ParsedPart, PartReader } from "./part-reader.ts"
import { findFixes, findProblems } from "./problems.ts"
import type { ProjectStyles } from "./project-styles.ts"

/** The parameters of the requests. */
interface CSSParams extends DocumentParams {
  readonly range?: Range
  readonly color?: { red: number; green: number; blue: number; alpha: number }
  readonly context?: { readonly diagnostics?: readonly Diagnostic[] }
}

type Answer = (parsed: ParsedPart, params: CSSParams) => unknown

/** The requests about a position. */
const positionAnswers: Readonly<Record<string, (parsed: ParsedPart, position: Position) => unknown>> = {
  "textDocument/hover": findHover,
  "textDocument/definition": ({ service, document, sheet }, position) =>
    service.findDefinition(document, position, sheet),
}
/** The requests about a range. */
const rangeAnswers: Readonly<Record<string, Answer>> = {
  "textDocument/codeAction": (parsed, { range, context }) =>
    range && findFixes(parsed, range, context?.diagnostics ?? []).map(({ action }) => action),
  "textDocument/colorPresentation": ({ service, document, sheet }, { color, range }) =>
    color && range && service.getColorPresentations(document, sheet, color, range),
}

/** Matches prefixes that browsers no longer need. */
const oldPrefix = /^:*-(?:moz|ms|o)-/

/** Answers requests about CSS. */
export class CSSFeature implements Feature {
  readonly #styles: ProjectStyles
  readonly #editor = new EditorItems()
  readonly #parts = new PartReader()

  /**
   * Creates the feature.
   *
   * @param styles the names in the project's stylesheets.
   */
  constructor(styles: ProjectStyles) {
    this.#styles = styles
  }

  /** Reads the editor's capabilities. */
  initialize(params: unknown): void {
    this.#editor.initialize(params)
  }

  async answer(method: string, params: CSSParams, open: OpenTemplate): Promise<unknown> {
    if (method === "textDocument/documentColor") return this.#findColors(open)
    const isCompletion = method === "textDocument/completion"
    if (!isCompletion && !positionAnswers[method] && !rangeAnswers[method]) return undefined
    const position = params.position ?? params.range?.start
    const parsed = position && (await this.#readAt(open, position))
    if (!parsed) return undefined
    if (isCompletion) return this.#complete(parsed, position, open)
    return positionAnswers[method]?.(parsed, position) ?? rangeAnswers[method]?.(parsed, params)
  }

  /** Returns the mistakes in the CSS. CSS that is not finished yet is left out. */
  async findDiagnostics(open: OpenTemplate): Promise<Diagnostic[]> {
    const documents = this.#parts.getDocuments(open).filter(({ part }) => part.isClosed)
    const found: Diagnostic[] = []
    for (const document of documents) {
      found.push(...findProblems(await this.#parts.read(document)))
    }
    return found
  }

  async #findColors(open: OpenTemplate): Promise<unknown> {
    const found = this.#parts.getDocuments(open).map(async (document) => {
      const { service, sheet } = await this.#parts.read(document)
      return service.findDocumentColors(document, sheet)
    })
    return (await Promise.all(found)).flat()
  }

  async #complete({ service, document, sheet }: ParsedPart, position: Position, open: OpenTemplate): Promise<unknown> {
    const completion = service.doComplete(document, position, sheet, {
      triggerPropertyValueCompletion: true,
      completePropertyWithSemicolon: this.#editor.hasSnippets,
    })
    const items = completion.items.filter(({ label }) => !oldPrefix.test(label))
    const isSelector = items.some(({ label }) => label === ":hover")
    const ownNames = await findOwnNames(
      open,
      this.#parts.getDocuments(open),
      document,
      position,
      isSelector,
      this.#styles,
    )
    // The service returns some names twice, and also some of the project's names. Its items contain more, so they
    // replace ours.
    const unique = new Map([...ownNames, ...items].map((item) => [item.label, item]))
    return { isIncomplete: false, items: [...unique.values()].map((item) => this.#editor.adaptItem(item)) }
  }

  async #readAt(open: OpenTemplate, position: Position): Promise<ParsedPart | undefined> {
    const offset = open.text.offsetAt(position)
    const document = this.#parts.getDocuments(open).find(({ part }) => part.start <= offset && offset <= part.end)
    return document && this.#parts.read(document)
  }
}

/** Returns the hover text for a position, as Markdown. */
function findHover({ service, document, sheet }: ParsedPart, position: Position): object | null {
  const hover = service.doHover(document, position, sheet)
  if (!hover || typeof hover.contents === "string" || "kind" in hover.contents) return hover
  const parts = [hover.contents].flat().map((part) => {
    return typeof part === "string" ? part : `\`\`\`${part.language}\n${part.value}\n\`\`\``
  })
  return { ...hover, contents: { kind: "markdown", value: parts.join("\n\n") } }
}
