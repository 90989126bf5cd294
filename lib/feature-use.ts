/** How a program that uses a feature is told from one that cannot. Read by `fw build`, which gives a worker the features that it may use. */
import type { Features } from "./features.ts"
import type { RouteTree } from "./tree.ts"

/** The features that a worker imports by name. What a worker's platform does itself is none. */
export type WorkerFeature = Exclude<keyof Features, "disk" | "forwarding" | "server">

/** Who uses a feature. All that is said has to hold; where nothing is said, every program does. */
export interface FeatureUse {
  /** Whether a program with these routes may. */
  readonly tree?: (tree: RouteTree) => boolean
  /** What its modules must have in their texts, also where it is called by a computed name. Too much costs bytes, too little a program. */
  readonly words?: RegExp
  /** A directory of the project that does for the words. */
  readonly directory?: string
  /** Whether it only says more of mistakes, which have shown under `fw dev`: a build does without. */
  readonly speaks?: boolean
}

/**
 * Names as a property has them: after a dot, in quotes, taken out of an object (no hole of a template), called. For words
 * that are common in other places.
 */
function property(...names: readonly string[]): RegExp {
  const one = `(?:${names.join("|")})`
  const forms = [
    `\\.\\s*${one}\\b`,
    `(["'\`])${one}\\1`,
    `(?:(?<!\\$)\\{|,)\\s*${one}\\s*[,}=:]`,
    `\\b${one}\\(`,
  ]
  return new RegExp(forms.join("|"))
}

/** Each feature of {@link Features}: without an entry for a new one this does not compile. */
export const featureUse: Readonly<Record<WorkerFeature, FeatureUse>> = {
  // A mounted handler gets a Request.
  body: {
    words: property("bind", "bytes", "form", "formFile", "formValue", "mount", "request", "text"),
  },
  cookies: { words: /\b(?:cookie|setCookie)\b/ },
  // On from the start.
  logger: {},
  messages: { speaks: true },
  mount: {},
  openapi: { words: /\bopenapi\b/ },
  pages: {
    tree: ({ pages, notFound, error }) => pages.length > 0 || notFound !== undefined || error !== undefined,
  },
  // A method, and the export of a proxy file; the class of the language is made by `new`.
  proxy: { words: /\bsetProxy\b|(?<!\bnew )\bProxy\b/ },
  // A method, the export of a route file, a method by the name that the router keeps it under.
  sockets: { words: /\b(?:socket|Socket|SOCKET)\b/ },
  sse: { words: /\bsse\b/ },
  static: { words: property("static", "staticDir"), directory: "static" },
  stream: { words: property("stream") },
}
