/** Makes the OpenAPI document of an application from its routes and the facts about their handlers. */

import { socketMethod } from "../answer/upgrade.ts"
import { byCodeUnit, sortedEntries } from "../order.ts"
import type { URLPatternConstructor } from "../platform.ts"
import { compileProxyConfig, type PathTest } from "../proxy-matchers.ts"
import type { RouteTree, TreeRoute } from "../tree.ts"
import { type CommentText, readComment, textsOf } from "./comment.ts"
import { usedComponents } from "./components.ts"
import { splitMethods } from "./every-method.ts"
import type { Answer, Description, Facts, Place, Warning } from "./model.ts"
import { componentNames, usesOf } from "./names.ts"
import { makeOperation, type OperationInput, type OperationTools } from "./operation.ts"
import { Paths, paramsFirst } from "./paths.ts"
import { errorName, Responses } from "./responses.ts"
import { type Schema, Schemas } from "./schema.ts"
import { combine, type Requirement, Security, securityForms } from "./security.ts"
import { toOpenAPI30 } from "./v30.ts"

/** Options of the document. */
export interface DocumentOptions {
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
  readonly warnings: readonly Warning[]
}

/** Marks a document that fw may overwrite, because nobody wrote it by hand. */
export const generatedMark = { "x-generated-by": "fw" } as const

/** A route of the tree, or of `main.ts`. */
interface Entry {
  readonly route: Pick<TreeRoute, "method" | "pattern" | "rest">
  readonly comment: CommentText
  readonly facts: Facts | null
  readonly middleware: readonly Layer[]
  readonly at: Place
}

/** A middleware or proxy around a route. */
interface Layer {
  /** The requirements in the comment of the file, otherwise those in the comment of its export. */
  readonly security: readonly string[]
  readonly facts: Facts | undefined
  readonly at: Place
}

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
    responses: new Responses(schemas, pages, known?.error),
    loaded: known?.schemas ?? new Map(),
    sent: known?.errorStatuses ?? new Map(),
    warn,
  }
  const security = new Security()
  const covers = await proxyTest(tree, options)
  const inputs = entriesOf(tree, known, covers, warn).map((entry) => operationInput(entry, security, warn))
  const items = new Map<string, Record<string, Schema>>()
  for (const { path, ...entry } of withPaths(inputs)) {
    const item = items.get(path) ?? {}
    item[entry.method.toLowerCase()] = makeOperation({ ...entry, path }, tools)
    items.set(path, item)
  }
  const document = assemble(items, tools, security, options)
  const list = [...warnings.values()].sort(byPlace)
  return {
    document: options.openapi30 ? toOpenAPI30(document) : document,
    operations: inputs.length,
    warnings: list,
  }
}

/** Returns the routes of the tree and those registered by hand, each with the layers around it. */
function entriesOf(
  tree: RouteTree,
  known: Description | null,
  covers: PathTest,
  warn: (warning: Warning) => void,
): Entry[] {
  const global = (known?.global ?? []).map((facts) => layerOf("main", [facts.comment], facts))
  const files = tree.middleware.map(({ file, comment }) => {
    const facts = known?.middleware.get(file)
    return layerOf(file, [comment, facts?.comment], facts)
  })
  const proxy = (pattern: string): Layer[] => {
    if (!tree.proxy || !covers(pattern.replace(/\{[^{}]*\}|\*/g, "x"))) return []
    const { comment, file } = tree.proxy
    const answers = (known?.proxy?.answers ?? []).filter(({ status }) => status !== null && status >= 400)
    const facts = known?.proxy && { ...known.proxy, answers }
    return [layerOf(file, [comment, facts?.comment], facts)]
  }
  const scanned = tree.routes.map((route): Entry => {
    const facts = known?.handlers.get(`${route.file}#${route.export}`) ?? null
    const around = [
      ...global,
      ...proxy(route.pattern),
      ...route.middleware.flatMap((index) => files[index] ?? []),
    ]
    const comment = readComment(route.comment ?? facts?.comment)
    return { route, comment, facts, middleware: around, at: route }
  })
  const registered = (known?.registered ?? []).map((route): Entry => {
    const around = [...global, ...proxy(route.pattern)]
    return {
      route,
      comment: readComment(route.comment),
      facts: route.facts,
      middleware: around,
      at: route.at,
    }
  })
  return splitMethods([...scanned, ...registered], tree).filter(({ route: { method }, comment, at }) => {
    // OpenAPI does not describe sockets.
    if (method === socketMethod) return false
    const hidden = comment.tags.some(({ name }) => name === "hidden")
    if (!hidden && !methods.includes(method)) {
      const fix = "Document it for its users in another way."
      warn({ message: `an OpenAPI document cannot describe the method ${method}`, fix, at })
    }
    return !hidden && methods.includes(method)
  })
}

/** Returns the layer of a file. @param comments in the order in which they count. */
function layerOf(file: string, comments: ReadonlyArray<string | undefined>, facts: Facts | undefined): Layer {
  const lists = comments.map((one) => textsOf(readComment(one), "security"))
  return { security: lists.find((list) => list.length > 0) ?? [], facts, at: { file, line: 1 } }
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
  const mine = read(own, at, security, warn)
  const isPublic = mine.length === 1 && mine[0]?.length === 0
  const all = [
    ...layers,
    ...(mine.length > 0 ? [mine] : []),
    ...(facts?.security ?? []).map((texts) => read(texts, at, security, warn)),
  ]
  const around: Answer[] = middleware.flatMap((layer) => layer.facts?.answers ?? [])
  const headers = middleware.flatMap((layer) => layer.facts?.headers ?? [])
  const needed = isPublic ? [] : all.length > 0 ? combine(all) : null
  const { file, line } = at
  return { route, method, comment, facts, around, headers, security: needed, at: { file, line } }
}

/** Returns the security of a layer. A comment overrides a type, because it is closer to the reader. */
function layerSecurity(
  { security: texts, facts, at }: Layer,
  security: Security,
  warn: (warning: Warning) => void,
): Requirement[][] {
  const declared = texts.length > 0 ? [texts] : (facts?.security ?? [])
  return declared
    .map((alternatives) => read(alternatives, at, security, warn))
    .filter((list) => list.length > 0)
}

function read(
  texts: readonly string[],
  { file, line }: Place,
  security: Security,
  warn: (warning: Warning) => void,
): Requirement[] {
  return texts.flatMap((text) => {
    const names = security.read(text)
    if (names !== null) return [names]
    const fix = `Write @security with one of: ${securityForms}. Write " & " between schemes that are needed together.`
    warn({ message: `"@security ${text}" is not a known kind of security`, fix, at: { file, line } })
    return []
  })
}

/** Assigns a path to each input. Parameters come before catch-alls, so that they keep their paths. */
function withPaths(inputs: readonly PathlessInput[]): OperationInput[] {
  const paths = new Paths()
  const rank = ({ method }: PathlessInput) => methods.indexOf(method)
  const order = [...inputs].sort((a, b) => paramsFirst(a.route.pattern, b.route.pattern) || rank(a) - rank(b))
  return order.map(({ route, ...input }) => ({ ...input, ...paths.of(route.pattern, route.rest) }))
}

function assemble(
  items: ReadonlyMap<string, Record<string, Schema>>,
  { schemas, responses }: OperationTools,
  security: Security,
  { title, version, description, server }: DocumentOptions,
): Schema {
  const paths = Object.fromEntries(sortedEntries(items).map(([path, item]) => [path, inOrder(item)]))
  uniqueIds(Object.values(paths))
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

/** Makes operation ids unique. Two paths may give the same id: `/a-b` and `/a/b`. */
function uniqueIds(items: ReadonlyArray<Record<string, Schema>>): void {
  const taken = new Set<unknown>()
  for (const operation of items.flatMap((item) => Object.values(item))) {
    const wanted = operation.operationId
    for (let n = 2; taken.has(operation.operationId); n++) operation.operationId = `${wanted}${n}`
    taken.add(operation.operationId)
  }
}

/** Marks operations without security as public if others require it. @returns true if any requires it. */
function markPublic(items: ReadonlyArray<Record<string, Schema>>): boolean {
  const operations = items.flatMap((item) => Object.values(item))
  const isGuarded = operations.some(({ security }) => security)
  if (isGuarded) for (const operation of operations) operation.security ??= []
  return isGuarded
}

async function proxyTest({ proxy }: RouteTree, { urlPattern }: DocumentOptions): Promise<PathTest> {
  return proxy
    ? compileProxyConfig({ matchers: proxy.matchers, excludes: proxy.excludes }, urlPattern)
    : () => false
}

function byPlace({ at: a }: Warning, { at: b }: Warning): number {
  return byCodeUnit(a?.file ?? "", b?.file ?? "") || (a?.line ?? 0) - (b?.line ?? 0)
}
