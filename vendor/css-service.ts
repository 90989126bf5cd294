/** CSS for editors. Bundled into dist/vendor/; imported lazily by `fw lsp`. */

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

/** What the service reads of a document. */
export type CSSDocument = Omit<TextDocument, "getLineRange" | "getEOLCharacters">

/** The part of the service that `fw lsp` uses. */
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

// A bundler reads the modules of the library, and Node its CommonJS, whose exports are one object.
const library: typeof modules = "default" in modules ? (modules.default as typeof modules) : modules

/** Creates a service. */
export function getCSSService(): CSSService {
  return library.getCSSLanguageService()
}
