/** Creates the features of the language server. */

import { CompilerFeature } from "./compiler-feature.ts"
import { ConventionFeature } from "./convention-feature.ts"
import { CSSFeature } from "./css/css-feature.ts"
import { ProjectStyles } from "./css/project-styles.ts"
import type { Feature } from "./feature.ts"
import { FormatFeature } from "./format-feature.ts"
import { HTMLFeature } from "./html/html-feature.ts"
import { LinkFeature } from "./html/link-feature.ts"
import { ProjectRoutes } from "./html/project-routes.ts"
import { StructureFeature } from "./html/structure-feature.ts"
import { ValueCompletions } from "./html/value-completions.ts"
import type { Project } from "./project.ts"

/** The capabilities of the features, in addition to those of TypeScript's server (LSP 3.17, ServerCapabilities). */
export const featureCapabilities: Readonly<Record<string, unknown>> = {
  definitionProvider: true,
  documentFormattingProvider: true,
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  linkedEditingRangeProvider: true,
  documentHighlightProvider: true,
  renameProvider: { prepareProvider: true },
  completionProvider: { triggerCharacters: [..."< \"'/=", ...":-@(."] },
  hoverProvider: true,
  documentLinkProvider: {},
  colorProvider: true,
  codeActionProvider: { codeActionKinds: ["quickfix"] },
}

/** Creates all features. Their order decides which answer is used. */
export function createFeatures(project: Project): readonly Feature[] {
  const { root } = project
  const routes = new ProjectRoutes(project)
  const styles = new ProjectStyles(root)
  const handleFilesChanged = () => {
    routes.forget()
    styles.forget()
  }
  return [
    new CompilerFeature(),
    new ConventionFeature(project),
    new FormatFeature(root),
    new CSSFeature(styles),
    new HTMLFeature(new ValueCompletions(routes, styles)),
    new LinkFeature(root, routes),
    new StructureFeature(),
    { handleFilesChanged },
  ]
}
