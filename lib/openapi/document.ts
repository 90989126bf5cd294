/** Makes the OpenAPI document of an application from its routes and the facts about their handlers. */

import { socketMethod } from "../answer/upgrade.ts"
import { byCodeUnit, sortedEntries } from "../order.ts"
import type { URLPatternConstructor } from "../platform.ts"
import { compileProxyConfig } from "../proxy-matchers.ts"
import type { RouteTree } from "../tree.ts"
import { textsOf } from "./comment.ts"
import { usedComponents } from "./components.ts"
import { type Entry, entriesOf, layerSecurity, readSecurity, samplePath } from "./entries.ts"
import type { Answer, Description, DocumentInfo, Facts, Warning } from "./model.ts"
import { componentNames, usesOf } from "./names.ts"
import { makeOperation, type OperationInput, type OperationTools } from "./operation.ts"
import { Paths, paramsFirst } from "./paths.ts"
import { errorName, Responses } from "./responses.ts"
import { type Schema, Schemas } from "./schema.ts"
import { combine, Security } from "./security.ts"
import { toOpenAPI30 } from "./v30.ts"

/** Options of the document. */
export interface DocumentOptions extends Pick<DocumentInfo, "include" | "exclude"> {
  readonly title: string
  /** Version of the API. */
  readonly version: string
  readonly description?: string | undefined
  /** URL of the server. Without one, clients use the document's own URL. */
  readonly server?: string | undefined
  /** True for 3.0.3 instead of 3.1.0. */
  readonly openapi30: boolean
  /** Returns URLPattern for the matchers of a proxy that need it. */
  readonly urlPattern: () => Promise<URLPatternConstructor>
}

/** A document, and warnings about unknown parts. */
export interface MadeDocument {
  readonly document: Schema
  readonly operations: number
  readonly routes: readonly DocumentedRoute[]
  readonly warnings: readonly Warning[]
}

/** A route with its operation. `security` is null if nothing states any. */
export type DocumentedRoute = OperationInput & Pick<Entry, "route"> & { readonly operation: Schema }

/** Marks a document that fw may overwrite, because nobody wrote it by hand. */
export const generatedMark = { "x-generated-by": "fw" } as const

/** Methods of a path item (3.1.0 §4.8.9.1), in the order of the document. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"]

/**
 * Makes the document. The same input gives the same document, key for key.
 *
 * @param known null without types.
 */
export async function makeDocument(
  tree: RouteTree,
  known: Description | null,
  options: DocumentOptions,
): Promise<MadeDocument> {
  const warnings = new Map<string, Warning>()
  const warn = (warning: Warning) => void warnings.set(JSON.stringify(warning), warning)
  for (const warning of known?.warnings ?? []) warn(warning)
  const types = known?.types ?? []
  const names = known ? componentNames(types, usesOf(known), [errorName], warn) : new Map<string, string>()
  const schemas = new Schemas(types, names)
  const pages = { notFound: tree.notFound !== undefined, others: tree.error !== undefined }
  const tools: OperationTools = {
    schemas,
    responses: new Responses(schemas, pages, known?.error, known?.errorMedias),
    loaded: known?.schemas ?? new Map(),
    sent: known?.errorStatuses ?? new Map(),
    ...(known?.issueStatuses && { sentIssues: known.issueStatuses }),
    warn,
  }
  const security = new Security()
  const entries = await entriesOf(tree, known, options.urlPattern)
  const isOffered = await offerTest(options)
  const inputs = entries
    .filter((entry) => isOffered(entry) && isDescribed(entry, warn))
    .map((entry) => operationInput(entry, security, warn))
  const items = new Map<string, Record<string, Schema>>()
  const routes = withPaths(inputs).map((input) => ({ ...input, operation: makeOperation(input, tools) }))
  for (const { path, method, operation } of routes)
    items.set(path, { ...items.get(path), [method.toLowerCase()]: operation })
  nameOperations(routes, warn)
  const document = assemble(items, tools, security, options)
  return {
    document: options.openapi30 ? toOpenAPI30(document) : document,
    operations: inputs.length,
    routes,
    warnings: [...warnings.values()].sort(byPlace),
  }
}

/**
 * Returns what decides if a route is a part of the API. What only pages use is not: a route whose answers are HTML and
 * redirects, such as that of a form. It is asked for by a name, by `mcp`, or by `include`.
 */
async function offerTest({ include = [], exclude = [], urlPattern }: DocumentOptions) {
  const test = async (matchers: readonly string[]) =>
    matchers.length > 0 ? compileProxyConfig({ matchers }, urlPattern) : () => false
  const [isIncluded, isExcluded] = await Promise.all([test(include), test(exclude)])
  return ({ route, comment, facts }: Entry): boolean => {
    const path = samplePath(route.pattern)
    if (isExcluded(path)) return false
    if (include.length > 0) return isIncluded(path)
    const isAsked = textsOf(comment, "operationId").length > 0 || route.mcp === true
    return isAsked || !facts || !isForPages(facts)
  }
}

/** Returns true for a handler that answers with HTML and redirects only, apart from errors. */
function isForPages({ answers }: Facts): boolean {
  const own = answers.filter(({ error, outer }) => !error && !outer)
  const isPage = ({ media, status }: Answer) =>
    media === "text/html" || (media === null && status !== null && status >= 300 && status < 400)
  return own.length > 0 && own.every(isPage)
}

/** Returns true if the document has an operation for a route. */
function isDescribed({ route: { method }, comment, at }: Entry, warn: (warning: Warning) => void): boolean {
  // OpenAPI does not describe sockets.
  if (method === socketMethod) return false
  const hidden = comment.tags.some(({ name }) => name === "hidden")
  if (!hidden && !methods.includes(method)) {
    const fix = "Document it for its users in another way."
    warn({ message: `an OpenAPI document cannot describe the method ${method}`, fix, at })
  }
  return !hidden && methods.includes(method)
}

type PathlessInput = Omit<OperationInput, "path" | "params"> & { readonly route: Entry["route"] }

function operationInput(
  { route, comment, facts, middleware, at }: Entry,
  security: Security,
  warn: (warning: Warning) => void,
): PathlessInput {
  const { method } = route
  const layers = middleware.flatMap((layer) => layerSecurity(layer, security, warn))
  const own = textsOf(comment, "security")
  const mine = readSecurity(own, at, security, warn)
  const isPublic = mine.length === 1 && mine[0]?.length === 0
  const all = [
    ...layers,
    ...(mine.length > 0 ? [mine] : []),
    ...(facts?.security ?? []).map((texts) => readSecurity(texts, at, security, warn)),
  ]
  const around: Answer[] = middleware.flatMap((layer) => layer.facts?.answers ?? [])
  const headers = middleware.flatMap((layer) => layer.facts?.headers ?? [])
  const needed = isPublic ? [] : all.length > 0 ? combine(all) : null
  const { file, line } = at
  return { route, method, comment, facts, around, headers, security: needed, at: { file, line } }
}

/** Assigns a path to each input. Parameters come before catch-alls, so that they keep their paths. */
function withPaths(inputs: readonly PathlessInput[]): Omit<DocumentedRoute, "operation">[] {
  const paths = new Paths()
  const rank = ({ method }: PathlessInput) => methods.indexOf(method)
  const order = [...inputs].sort((a, b) => paramsFirst(a.route.pattern, b.route.pattern) || rank(a) - rank(b))
  return order.map((input) => ({ ...input, ...paths.of(input.route.pattern, input.route.rest) }))
}

function assemble(
  items: ReadonlyMap<string, Record<string, Schema>>,
  { schemas, responses }: OperationTools,
  security: Security,
  { title, version, description, server }: DocumentOptions,
): Schema {
  const paths = Object.fromEntries(sortedEntries(items).map(([path, item]) => [path, inOrder(item)]))
  const isGuarded = markPublic(Object.values(paths))
  const tags = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ tags = [] }) => tags as string[]),
  )
  const used = usedComponents(paths, {
    schemas: { ...schemas.components, [errorName]: responses.error },
    responses: responses.components,
  })
  const groups = Object.entries({ ...used, securitySchemes: security.schemes })
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

function inOrder(item: Record<string, Schema>): Record<string, Schema> {
  const rank = (name: string) => methods.indexOf(name.toUpperCase())
  return Object.fromEntries(Object.entries(item).sort(([a], [b]) => rank(a) - rank(b)))
}

/**
 * Makes operation ids unique. Two paths may give the same id: `/a-b` and `/a/b`. One that a comment gives is kept, so that another
 * route does not change the name of a client's function.
 */
function nameOperations(routes: readonly DocumentedRoute[], warn: (warning: Warning) => void): void {
  const taken = new Map<unknown, DocumentedRoute>()
  const isGiven = ({ comment }: DocumentedRoute) => (textsOf(comment, "operationId")[0] ?? "") !== ""
  const inOrder = routes.toSorted((a, b) => byCodeUnit(a.path, b.path))
  for (const route of [...inOrder.filter(isGiven), ...inOrder.filter((one) => !isGiven(one))]) {
    const { operation, method, path, at } = route
    const wanted = operation.operationId
    const other = taken.get(wanted)
    // A handler of several methods has one comment.
    if (other && isGiven(route) && (other.at.file !== at.file || other.at.line !== at.line)) {
      const fix = `Give ${method} ${path} another one. Clients name a function by it.`
      warn({ message: `${other.method} ${other.path} has the operationId ${wanted}, too`, fix, at })
    }
    for (let n = 2; taken.has(operation.operationId); n++) operation.operationId = `${wanted}${n}`
    taken.set(operation.operationId, route)
  }
}

/** Marks operations without security as public if others require it. @returns true if any requires it. */
function markPublic(items: ReadonlyArray<Record<string, Schema>>): boolean {
  const operations = items.flatMap((item) => Object.values(item))
  const isGuarded = operations.some(({ security }) => security)
  if (isGuarded) for (const operation of operations) operation.security ??= []
  return isGuarded
}

function byPlace({ at: a }: Warning, { at: b }: Warning): number {
  return byCodeUnit(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0)
}
