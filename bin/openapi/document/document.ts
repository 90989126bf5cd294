/** Makes the OpenAPI document of an application from its routes and from facts about their handlers. */

import { socketMethod } from "../../../lib/answer/upgrade.ts"
import { compareByCodeUnit, sortEntries } from "../../../lib/order.ts"
import type { URLPatternConstructor } from "../../../lib/platform.ts"
import { compileProxyConfig } from "../../../lib/proxy-matchers.ts"
import type { RouteTree } from "../../../lib/tree.ts"
import { listTexts } from "./comment.ts"
import { chooseComponentNames, countUses } from "./component-names.ts"
import { selectUsedComponents } from "./components.ts"
import { collectEntries, createSamplePath, type RouteEntry, readLayerSecurity, readSecurity } from "./entries.ts"
import type { AnswerFacts, AppDescription, DocumentInfo, Facts, Warning } from "./model.ts"
import { toOpenAPI30 } from "./openapi30.ts"
import { makeOperation, type OperationInput, type OperationTools } from "./operation.ts"
import { compareParamsFirst, DocumentPaths } from "./paths.ts"
import { errorSchemaName, Responses } from "./responses.ts"
import { type Schema, Schemas } from "./schemas.ts"
import { combineLayers, SecuritySchemes } from "./security-schemes.ts"

/** Options of the document. */
export interface DocumentOptions extends Pick<DocumentInfo, "include" | "exclude"> {
  readonly title: string
  /** The version of the API. */
  readonly version: string
  readonly description?: string | undefined
  /** URL of the server. Without one, the document's own URL is used. */
  readonly server?: string | undefined
  /** True for OpenAPI 3.0.3 instead of 3.1.0. */
  readonly openapi30: boolean
  /** Loads URLPattern. It is called only if a pattern needs it. */
  readonly loadURLPattern: () => Promise<URLPatternConstructor>
}

/** A document, and warnings about parts of the API that could not be described. */
export interface GeneratedDocument {
  readonly document: Schema
  readonly operations: number
  readonly routes: readonly DocumentedRoute[]
  readonly warnings: readonly Warning[]
}

/** A route with its operation. `security` is null if the route declares no security. */
export type DocumentedRoute = OperationInput & Pick<RouteEntry, "route"> & { readonly operation: Schema }

/** Marks a generated document, which fw may overwrite. */
const generatedMark = { "x-generated-by": "fw" } as const

/** The methods that a path item can have (OpenAPI 3.1.0 §4.8.9.1), in the order of the document. */
const documentedMethods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"]

/**
 * Makes the document. The same input always gives the same document, also in the order of keys.
 *
 * @param appFacts the facts from the types; null if the types could not be read.
 */
export async function makeDocument(
  tree: RouteTree,
  appFacts: AppDescription | null,
  options: DocumentOptions,
): Promise<GeneratedDocument> {
  const warnings = new Map<string, Warning>()
  const warn = (warning: Warning) => void warnings.set(JSON.stringify(warning), warning)
  for (const warning of appFacts?.warnings ?? []) warn(warning)
  const types = appFacts?.types ?? []
  const names = appFacts
    ? chooseComponentNames(types, countUses(appFacts), [errorSchemaName], warn)
    : new Map<string, string>()
  const schemas = new Schemas(types, names)
  const pages = { hasNotFoundPage: tree.notFound !== undefined, hasErrorPage: tree.error !== undefined }
  const tools: OperationTools = {
    schemas,
    responses: new Responses(schemas, pages, appFacts?.error, appFacts?.errorMedias),
    loadedSchemas: appFacts?.schemas ?? new Map(),
    statusReplacements: appFacts?.errorStatuses ?? new Map(),
    ...(appFacts?.issueStatuses && { issueStatuses: appFacts.issueStatuses }),
    warn,
  }
  const security = new SecuritySchemes()
  const entries = await collectEntries(tree, appFacts, options.loadURLPattern)
  const isInAPI = await createRouteFilter(tree, options)
  const inputs = entries
    .filter((entry) => isInAPI(entry) && isDescribed(entry, warn))
    .map((entry) => createOperationInput(entry, security, warn))
  const items = new Map<string, Record<string, Schema>>()
  const routes = assignPaths(inputs).map((input) => ({ ...input, operation: makeOperation(input, tools) }))
  for (const { path, method, operation } of routes)
    items.set(path, { ...items.get(path), [method.toLowerCase()]: operation })
  nameOperations(routes, warn)
  const document = assembleDocument(items, tools, security, options)
  return {
    document: options.openapi30 ? toOpenAPI30(document) : document,
    operations: inputs.length,
    routes,
    warnings: [...warnings.values()].sort(compareLocations),
  }
}

/**
 * Returns a function that decides whether a route belongs to the API. A route that only pages use does not: one
 * that answers with HTML or redirects, as for a form, and a download or event stream at or below a page. An
 * `@operationId`, `mcp` or `include` adds such a route.
 */
async function createRouteFilter(tree: RouteTree, { include = [], exclude = [], loadURLPattern }: DocumentOptions) {
  const pages = new Set(tree.pages.map(({ pattern }) => pattern))
  const compileTest = async (matchers: readonly string[]) =>
    matchers.length > 0 ? compileProxyConfig({ matchers }, loadURLPattern) : () => false
  const [isIncluded, isExcluded] = await Promise.all([compileTest(include), compileTest(exclude)])
  return ({ route, comment, facts }: RouteEntry): boolean => {
    const path = createSamplePath(route.pattern)
    if (isExcluded(path)) return false
    if (include.length > 0) return isIncluded(path)
    const isExplicit = listTexts(comment, "operationId").length > 0 || route.mcp === true
    return isExplicit || !facts || !isForPages(facts, route.method === "GET" && isBelowPage(route.pattern, pages))
  }
}

/**
 * Returns true for a pattern at or below the pattern of a page. The start page does not count, because every
 * pattern is below it.
 */
function isBelowPage(pattern: string, pages: ReadonlySet<string>): boolean {
  if (pattern === "" || pattern === "/") return false
  return pages.has(pattern) || isBelowPage(pattern.slice(0, pattern.lastIndexOf("/")), pages)
}

/**
 * Returns true if a browser is meant to show all answers of a handler. Errors and answers of middleware do not count.
 *
 * @param isBelowPage true if answers without JSON are downloads or streams of a page.
 */
function isForPages({ answers }: Facts, isBelowPage: boolean): boolean {
  const own = answers.filter(({ error, outer }) => !error && !outer)
  const isPage = ({ media, status }: AnswerFacts) =>
    media === "text/html" ||
    (media === null && status !== null && status >= 300 && status < 400) ||
    (isBelowPage && media !== null && status !== null && !/[/+]json$/.test(media))
  return own.length > 0 && own.every(isPage)
}

function isDescribed({ route: { method }, comment, at }: RouteEntry, warn: (warning: Warning) => void): boolean {
  // OpenAPI does not describe WebSockets.
  if (method === socketMethod) return false
  const hidden = comment.tags.some(({ name }) => name === "hidden")
  if (!hidden && !documentedMethods.includes(method)) {
    const fix = "Document it for its users in another way."
    warn({ message: `an OpenAPI document cannot describe the method ${method}`, fix, at })
  }
  return !hidden && documentedMethods.includes(method)
}

type PathlessInput = Omit<OperationInput, "path" | "params"> & { readonly route: RouteEntry["route"] }

function createOperationInput(
  { route, comment, facts, middleware, at }: RouteEntry,
  security: SecuritySchemes,
  warn: (warning: Warning) => void,
): PathlessInput {
  const { method } = route
  const layers = middleware.flatMap((layer) => readLayerSecurity(layer, security, warn))
  const securityTexts = listTexts(comment, "security")
  const ownSecurity = readSecurity(securityTexts, at, security, warn)
  const isPublic = ownSecurity.length === 1 && ownSecurity[0]?.length === 0
  const securityLayers = [
    ...layers,
    ...(ownSecurity.length > 0 ? [ownSecurity] : []),
    ...(facts?.security ?? []).map((texts) => readSecurity(texts, at, security, warn)),
  ]
  const middlewareAnswers: AnswerFacts[] = middleware.flatMap((layer) => layer.facts?.answers ?? [])
  const middlewareHeaders = middleware.flatMap((layer) => layer.facts?.headers ?? [])
  const requiredSecurity = isPublic ? [] : securityLayers.length > 0 ? combineLayers(securityLayers) : null
  const { file, line } = at
  return {
    route,
    method,
    comment,
    facts,
    middlewareAnswers,
    middlewareHeaders,
    security: requiredSecurity,
    at: { file, line },
  }
}

/** Assigns a path to each input. Parameters come before catch-alls, so that their paths do not change. */
function assignPaths(inputs: readonly PathlessInput[]): Omit<DocumentedRoute, "operation">[] {
  const paths = new DocumentPaths()
  const rank = ({ method }: PathlessInput) => documentedMethods.indexOf(method)
  const order = [...inputs].sort((a, b) => compareParamsFirst(a.route.pattern, b.route.pattern) || rank(a) - rank(b))
  return order.map((input) => ({ ...input, ...paths.getPath(input.route.pattern, input.route.rest) }))
}

function assembleDocument(
  items: ReadonlyMap<string, Record<string, Schema>>,
  { schemas, responses }: OperationTools,
  security: SecuritySchemes,
  { title, version, description, server }: DocumentOptions,
): Schema {
  const paths = Object.fromEntries(sortEntries(items).map(([path, item]) => [path, sortMethods(item)]))
  const isGuarded = markPublic(Object.values(paths))
  const tags = Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags = [] }) => tags as string[]))
  const componentGroups = selectUsedComponents(paths, {
    schemas: { ...schemas.components, [errorSchemaName]: responses.error },
    responses: responses.components,
  })
  const groups = Object.entries({ ...componentGroups, securitySchemes: security.schemes })
  const components = groups.filter(([, group]) => Object.keys(group).length > 0)
  return {
    openapi: "3.1.0",
    ...generatedMark,
    info: { title, ...(description && { description }), version },
    servers: [{ url: server || "/" }],
    ...(!isGuarded && { security: [] }),
    ...(tags.length > 0 && { tags: [...new Set(tags)].sort().map((name) => ({ name })) }),
    paths,
    ...(components.length > 0 && { components: Object.fromEntries(components) }),
  }
}

function sortMethods(item: Record<string, Schema>): Record<string, Schema> {
  const rank = (name: string) => documentedMethods.indexOf(name.toUpperCase())
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => rank(a) - rank(b)))
}

/**
 * Makes the operation ids unique. Different paths may give the same id, such as `/a-b` and `/a/b`. An id from a
 * comment is never changed, so that another route cannot rename a client's function.
 */
function nameOperations(routes: readonly DocumentedRoute[], warn: (warning: Warning) => void): void {
  const routesByID = new Map<unknown, DocumentedRoute>()
  const isGiven = ({ comment }: DocumentedRoute) => (listTexts(comment, "operationId")[0] ?? "") !== ""
  const sortedRoutes = routes.toSorted((a, b) => compareByCodeUnit(a.path, b.path))
  for (const route of [...sortedRoutes.filter(isGiven), ...sortedRoutes.filter((one) => !isGiven(one))]) {
    const { operation, method, path, at } = route
    const wantedID = operation.operationId
    const other = routesByID.get(wantedID)
    // A handler for several methods has one comment for all of them.
    if (other && isGiven(route) && (other.at.file !== at.file || other.at.line !== at.line)) {
      const fix = `Give ${method} ${path} another one. Clients name a function by it.`
      warn({ message: `${other.method} ${other.path} has the operationId ${wantedID}, too`, fix, at })
    }
    for (let n = 2; routesByID.has(operation.operationId); n++) operation.operationId = `${wantedID}${n}`
    routesByID.set(operation.operationId, route)
  }
}

/**
 * Marks operations without security as public, if other operations require security.
 *
 * @returns true if any operation requires security.
 */
function markPublic(items: ReadonlyArray<Record<string, Schema>>): boolean {
  const operations = items.flatMap((item) => Object.values(item))
  const isGuarded = operations.some(({ security }) => security)
  if (isGuarded) for (const operation of operations) operation.security ??= []
  return isGuarded
}

function compareLocations({ at: a }: Warning, { at: b }: Warning): number {
  return compareByCodeUnit(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0)
}
