/** HTML for editors. Bundled into dist/vendor/; imported lazily by `fw lsp`. */
export {
  getLanguageService as getHTMLService,
  type HTMLDocument,
  type LanguageService as HTMLService,
  newHTMLDataProvider,
  TextDocument,
} from "vscode-html-languageservice"
