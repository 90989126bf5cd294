/** The language service for HTML. Bundled into dist/vendor/; `fw lsp` imports it when it is needed. */
import * as modules from "vscode-html-languageservice"

export type { HTMLDocument, LanguageService as HTMLService } from "vscode-html-languageservice"
export type TextDocument = modules.TextDocument

// A bundler takes the library's ES modules. Node takes its CommonJS module, whose exports are in `default`.
const library: typeof modules = "default" in modules ? (modules.default as typeof modules) : modules

export const { getLanguageService: getHTMLService, newHTMLDataProvider, TextDocument } = library
