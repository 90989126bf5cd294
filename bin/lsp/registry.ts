/**
 * The features of the server. Their capabilities are here and not in their modules, because an editor waits for these when
 * it starts, and the modules are loaded after that.
 */

import type { Documents } from "./documents.ts"
import type { Feature } from "./feature.ts"

/** The project, as the editor names it. */
export interface Place {
  /** Returns the directory, which the editor may name later. */
  readonly root: () => string
  /** The directory of the routes, relative to the project. */
  readonly appDir: string
}

/** The project that features answer for. */
export interface Project extends Place {
  readonly documents: Documents
}

/** A feature, or several that belong together. */
export interface Registration {
  /** Capabilities to announce, in addition to those of TypeScript's server (LSP 3.17, ServerCapabilities). */
  readonly capabilities?: Readonly<Record<string, unknown>>
  load(project: Project): Promise<readonly Feature[]>
}

/** All features, in the order in which they are asked. */
export const registrations: readonly Registration[] = [
  {
    load: async () => [new (await import("./compiler-feature.ts")).CompilerFeature()],
  },
  {
    capabilities: { definitionProvider: true },
    load: async (project) => [new (await import("./convention-feature.ts")).ConventionFeature(project)],
  },
  {
    capabilities: { documentFormattingProvider: true, documentRangeFormattingProvider: true },
    load: async ({ root }) => [new (await import("./format-feature.ts")).FormatFeature(root)],
  },
  {
    capabilities: {
      documentSymbolProvider: true,
      foldingRangeProvider: true,
      selectionRangeProvider: true,
      linkedEditingRangeProvider: true,
      documentHighlightProvider: true,
      renameProvider: { prepareProvider: true },
      completionProvider: { triggerCharacters: [..."< \"'/=", ...":-@(."] },
      hoverProvider: true,
      definitionProvider: true,
      documentLinkProvider: {},
      colorProvider: true,
      codeActionProvider: { codeActionKinds: ["quickfix"] },
    },
    load: async (project) => (await import("./html/features.ts")).markupFeatures(project),
  },
]
