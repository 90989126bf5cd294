/** Makes the OpenAPI document of a project: scans the routes, reads the types, and makes the document. */
import { basename } from "node:path"
import { env } from "../../adapters/disk/env.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { toolFault } from "../messages/tools.ts"
import { readManifest } from "../project/manifest.ts"
import { findMain } from "../project/project.ts"
import { readProjectTree } from "../project/scan-project.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { openTypes } from "../tools/typescript/program.ts"
import { listDescribedFiles } from "./described-files.ts"
import type { GeneratedDocument } from "./document/document.ts"
import type { AppDescription, DocumentInfo, Warning } from "./document/model.ts"
import { getTypeCache } from "./type-cache.ts"
import type { ProjectDescription } from "./types/handlers.ts"

/** Options of the document. */
export interface OpenAPIFileOptions {
  /** The route directory, relative to the project. */
  readonly appDir: string
  /** Default: the title that `main.ts` passes to `app.openapi()`, otherwise the project's name. */
  readonly title?: string | undefined
  /**
   * Default: the version that `main.ts` passes to `app.openapi()`, otherwise `1.0.0`. The defaults of `description`
   * and `server` come from there too, but have no further fallback.
   */
  readonly version?: string | undefined
  readonly description?: string | undefined
  readonly server?: string | undefined
  /** True for OpenAPI 3.0.3 instead of 3.1.0. */
  readonly openapi30?: boolean
  /** True to import the modules with schemas. This runs the project's code. */
  readonly load?: boolean
  /** Aborts importing. */
  readonly signal?: AbortSignal
}

/** A document and what it was made from. */
export interface ProjectDocument extends GeneratedDocument {
  /** The scanned routes. */
  readonly tree: RouteTree
  /** True if the types were read. Without TypeScript, the document has only routes and comments. */
  readonly isTyped: boolean
}

/**
 * Makes the document of a project. Does not write it.
 *
 * @throws FwError as `fw routes` does, and `load` if a module cannot be imported.
 */
export async function makeProjectDocument(root: string, options: OpenAPIFileOptions): Promise<ProjectDocument> {
  const { appDir } = options
  const main = findMain({ root, appDir })
  const tree = await readProjectTree({ root, appDir })
  return makeFromFacts(root, tree, await readProjectFacts({ root, tree, main }, options), options)
}

async function makeFromFacts(
  root: string,
  tree: RouteTree,
  { appFacts, warnings }: ProjectFacts,
  { openapi30 = false, ...options }: OpenAPIFileOptions,
): Promise<ProjectDocument> {
  const { makeDocument } = await import("./document/document.ts")
  const { loadURLPattern } = env
  const info = { title: readProjectName(root), version: "1.0.0", ...appFacts?.info, ...pickGivenInfo(options) }
  const result = await makeDocument(tree, appFacts, { ...info, openapi30, loadURLPattern })
  return { ...result, tree, warnings: [...warnings, ...result.warnings], isTyped: appFacts !== null }
}

/**
 * Checks that the server is a URL or begins with `/`, which is relative to the document's own URL (OpenAPI 3.1.0
 * §4.8.5).
 *
 * @throws FwError `server` otherwise.
 */
export function checkServer(server: string | undefined): void {
  if (server === undefined || server.startsWith("/") || URL.canParse(server)) return
  throw toolFault("server", [server])
}

/** Returns those options that are given, because they override the options in the project. */
function pickGivenInfo({ title, version, description, server }: OpenAPIFileOptions): DocumentInfo {
  const all = Object.entries({ title, version, description, server })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** Formats a document. The same document always gives the same text. */
export async function formatDocument(document: object, format: "json" | "yaml"): Promise<string> {
  if (format === "json") return `${JSON.stringify(document, null, 2)}\n`
  const { stringify } = await import("#vendor/yaml")
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
}

/** Returns the name in package.json, otherwise the name of the directory. */
function readProjectName(root: string): string {
  const { name } = readManifest(root)
  return typeof name === "string" && name !== "" ? name : basename(root) || "API"
}

/** Reads the facts about a project's routes from its types. Uses the program that this process keeps open, if any. */
export async function describeProject(
  root: string,
  tree: RouteTree,
  main: string | null,
): Promise<ProjectDescription | Untyped> {
  const cache = getTypeCache(root)
  if (cache) return cache.describe(tree, main)
  const { describeRoutes } = await import("./types/handlers.ts")
  const program = await openTypes(root, { files: listDescribedFiles(tree, main) })
  if ("untyped" in program) return program
  try {
    return describeRoutes(program, tree, main)
  } finally {
    program.close()
  }
}

interface ProjectFacts {
  /** The facts; null if the types could not be read. */
  readonly appFacts: AppDescription | null
  readonly warnings: readonly Warning[]
}

interface ScannedProject {
  readonly root: string
  readonly tree: RouteTree
  readonly main: string | null
}

async function readProjectFacts(
  { root, tree, main }: ScannedProject,
  { load = false, signal }: OpenAPIFileOptions,
): Promise<ProjectFacts> {
  const described = await describeProject(root, tree, main)
  if ("untyped" in described) {
    const message = `${described.untyped}: the document has only routes and comments`
    return { appFacts: null, warnings: [{ message, fix: described.fix }] }
  }
  const { syntaxProblem } = described
  const syntaxWarnings = syntaxProblem
    ? [{ message: `${syntaxProblem.untyped}: parts of the types may be missing`, fix: syntaxProblem.fix }]
    : []
  if (!load) return { appFacts: described, warnings: syntaxWarnings }
  const { loadSchemas } = await import("./load-schemas.ts")
  const { schemas, warnings } = await loadSchemas(root, described.schemaPlaces, signal)
  return { appFacts: { ...described, schemas }, warnings: [...syntaxWarnings, ...warnings] }
}
