/** HTML for editors. Bundled into dist/vendor/; imported lazily by `fw lsp`. */
import * as modules from "vscode-html-languageservice"

export type { HTMLDocument, LanguageService as HTMLService } from "vscode-html-languageservice"
export type TextDocument = modules.TextDocument

// A bundler reads the modules of the library, and Node its CommonJS, whose exports are one object.
const library: typeof modules = "default" in modules ? (modules.default as typeof modules) : modules

export const { getLanguageService: getHTMLService, newHTMLDataProvider, TextDocument } = library
