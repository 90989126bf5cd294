/** The language service for CSS. Bundled into dist/vendor/; `fw lsp` imports it when it is needed. */

import type {
  CodeAction,
  Color,
  ColorInformation,
  ColorPresentation,
  CompletionList,
  CompletionSettings,
  Diagnostic,
  Hover,
  LanguageSettings,
  Location,
  Position,
  Range,
  Stylesheet,
  TextDocument,
} from "vscode-css-languageservice"
import * as modules from "vscode-css-languageservice"

export type { Stylesheet }

/** The properties of a document that the language service reads. */
export type CSSDocument = Omit<TextDocument, "getLineRange" | "getEOLCharacters">

/** The functions of the language service that `fw lsp` uses. */
export interface CSSService {
  parseStylesheet(document: CSSDocument): Stylesheet
  doValidation(document: CSSDocument, sheet: Stylesheet, settings: LanguageSettings): Diagnostic[]
  doComplete(document: CSSDocument, position: Position, sheet: Stylesheet, settings: CompletionSettings): CompletionList
  doHover(document: CSSDocument, position: Position, sheet: Stylesheet): Hover | null
  findDefinition(document: CSSDocument, position: Position, sheet: Stylesheet): Location | null
  findDocumentColors(document: CSSDocument, sheet: Stylesheet): ColorInformation[]
  getColorPresentations(document: CSSDocument, sheet: Stylesheet, color: Color, range: Range): ColorPresentation[]
  doCodeActions2(
    document: CSSDocument,
    range: Range,
    context: { diagnostics: readonly Pick<Diagnostic, "range" | "code" | "message">[] },
    sheet: Stylesheet,
  ): CodeAction[]
}

// A bundler takes the library's ES modules. Node takes its CommonJS module, whose exports are in `default`.
const library: typeof modules = "default" in modules ? (modules.default as typeof modules) : modules

export function getCSSService(): CSSService {
  return library.getCSSLanguageService()
}
