/**
 * Explains how the application would handle a request. It uses the scanned routes and the application's own router,
 * and runs no code of the project.
 */
import { join, posix } from "node:path"
import { createFileSource } from "../../adapters/disk/files.ts"
import { socketMethod } from "../../lib/answer/upgrade.ts"
import { HttpError } from "../../lib/errors.ts"
import { canonicalizePath, splitSegments, splitTarget } from "../../lib/path.ts"
import { hasRouteBelow, isRedirected, type RouteTable, toMethodName } from "../../lib/router.ts"
import type { ModuleText } from "../../lib/scan/exports.ts"
import { parseStringLiteral } from "../../lib/scan/proxy-config.ts"
import { type ModuleToken, toPosition } from "../../lib/scan/tokens.ts"
import { serveStatic } from "../../lib/static/serve-static.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { findMain } from "../project/project.ts"
import { tryReadModule } from "../project/read-module.ts"
import { compileMatcher } from "./checks/matchers.ts"
import { findCandidates } from "./explain-candidates.ts"
import type { ExplainedAnswer, ExplainedProxy, ExplainRequest, Explanation } from "./explanation.ts"
import { type Registered, readRegistered } from "./links/registered.ts"
import { findStaticDirectories, isBelow, type StaticDirectory } from "./links/static-files.ts"
import { createTreeRouter, type TreeRouter } from "./tree-router.ts"

const noAnswer: ExplainedAnswer = {
  kind: "not_found",
  status: 404,
  file: null,
  line: null,
  export: null,
  pattern: null,
  params: {},
  middleware: [],
  layout: null,
  location: null,
  allow: [],
  note: null,
}

/**
 * Explains a request to a project.
 *
 * @param tree the routes, including those that the main file registers, if they are known.
 * @throws FwError `proxy_config` for an invalid matcher.
 */
export async function explain(root: string, tree: RouteTree, request: ExplainRequest): Promise<Explanation> {
  const method = toMethodName(request.method)
  const main = findMain({ root, appDir: tree.appDir })
  const explainer = new Explainer(root, tree, await readOwnHandlers(root, main))
  const { path: raw, search } = splitTarget(request.target)
  const canonical = toCanonicalPath(raw)
  if (canonical instanceof HttpError) {
    const answer = {
      ...noAnswer,
      kind: "refused",
      status: canonical.status,
      note: canonical.message,
    } as const
    return { method, target: request.target, path: null, proxy: null, answer, candidates: [], main }
  }
  const { router } = explainer.routes
  return {
    method,
    target: request.target,
    path: canonical,
    proxy: await explainer.explainProxy(method, canonical),
    answer: await explainer.explainAnswer(method, canonical, search),
    candidates: findCandidates(router, tree, findSearchedMethod(router, method, canonical), canonical),
    main,
  }
}

/** Returns the method for which the router is asked. If the path has no WebSocket, an upgrade is handled as GET. */
function findSearchedMethod(router: RouteTable, method: string, path: string): string {
  const isOther = method === socketMethod && router.find(method, path)?.route?.method !== socketMethod
  return isOther ? "GET" : method
}

/** Returns the canonical path, or the error with which fw answers. */
function toCanonicalPath(raw: string): string | HttpError {
  try {
    return canonicalizePath(raw)
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  }
}

/** What answers besides the routes: static directories, and handlers that the main file registers. */
interface OwnHandlers extends Pick<Registered, "prefixes" | "mayAnswerAny"> {
  /** The main file; null if there is none. */
  readonly main: string | null
  readonly directories: readonly StaticDirectory[]
}

async function readOwnHandlers(root: string, main: string | null): Promise<OwnHandlers> {
  const module = main === null ? null : await tryReadModule(root, main)
  const registered = await readRegistered(root, module)
  const { prefixes, mayAnswerAny } = registered
  return {
    main,
    prefixes,
    mayAnswerAny,
    directories: findStaticDirectories(root, module, registered.directories),
  }
}

class Explainer {
  readonly routes: TreeRouter
  readonly #root: string
  readonly #tree: RouteTree
  readonly #handlers: OwnHandlers

  constructor(root: string, tree: RouteTree, handlers: OwnHandlers) {
    this.#root = root
    this.#tree = tree
    this.#handlers = handlers
    this.routes = createTreeRouter(tree)
  }

  async explainProxy(method: string, path: string): Promise<ExplainedProxy | null> {
    const { proxy } = this.#tree
    if (!proxy) return null
    const checkPattern = async (pattern: string) => ({
      pattern,
      covers: (await compileMatcher(pattern)).test(path),
    })
    const matchers = await Promise.all(proxy.matchers.map(checkPattern))
    const excludes = await Promise.all(proxy.excludes.map(checkPattern))
    const isCovered = matchers.length === 0 || matchers.some(({ covers }) => covers)
    const runs = isCovered && !excludes.some(({ covers }) => covers)
    const module = runs ? await tryReadModule(this.#root, proxy.file) : null
    const actions = await Promise.all(
      (module ? findProxyActions(module) : []).map(async (action) => ({
        ...action,
        answer: action.action === "rewrite" && action.to ? await this.#explainRewrite(method, action.to, path) : null,
      })),
    )
    return { file: proxy.file, runs, matchers, excludes, actions }
  }

  async #explainRewrite(method: string, to: string, originalPath: string): Promise<ExplainedAnswer> {
    if (!to.startsWith("/")) return { ...noAnswer, kind: "refused", status: 500, note: "it is not a path" }
    const { path, search } = splitTarget(to)
    const canonical = toCanonicalPath(path)
    if (canonical instanceof HttpError)
      return { ...noAnswer, kind: "refused", status: canonical.status, note: canonical.message }
    return this.explainAnswer(method, canonical, search, originalPath)
  }

  /** Explains what happens after the proxy: route, fw's own responses, static files, 404. */
  async explainAnswer(
    requestMethod: string,
    path: string,
    search: string,
    originalPath = path,
  ): Promise<ExplainedAnswer> {
    const { router, findChain } = this.routes
    const method = findSearchedMethod(router, requestMethod, path)
    const match = router.find(method, path)
    if (!match) return this.#explainUnrouted(method, path, search, originalPath)
    const { route, endpoint } = match
    const pattern = (route ?? endpoint).pattern
    const params = Object.fromEntries(pattern.names.map((name, index) => [name, match.values[index] ?? ""]))
    const base = { ...noAnswer, pattern: pattern.text, params }
    if (route && isRedirected(route.method, path, originalPath)) {
      const location = path.slice(0, -1) + search
      return { ...base, kind: "redirect", status: 308, location, middleware: findChain(endpoint) }
    }
    if (!route) {
      const middleware = findChain(endpoint)
      const allow = router.listMethods(path)
      if (method === "OPTIONS") return { ...base, kind: "options", status: 204, allow, middleware }
      // The router allows GET, but no route answers it: GET opens a WebSocket there.
      const isSocket = (method === "GET" || method === "HEAD") && allow.includes("GET")
      if (isSocket) return { ...base, kind: "upgrade", status: 426, middleware }
      return { ...base, kind: "not_allowed", status: 405, allow, middleware }
    }
    const note = method === "HEAD" && route.method === "GET" ? "GET answers HEAD, without its body" : null
    const answer = { ...base, note, file: route.source, status: null, middleware: findChain(route) }
    const isThis = (item: { pattern: string; file: string }) =>
      item.pattern === pattern.text && item.file === route.source
    const handler = this.#tree.routes.find((item) => isThis(item) && item.method === route.method)
    if (handler) {
      const { line, file } = handler
      return { ...answer, kind: "route", line, export: isRouteFile(file) ? handler.export : null }
    }
    const layout = this.#tree.pages.find(isThis)?.layout
    const layoutFile = layout === undefined ? undefined : this.#tree.layouts[layout]
    return { ...answer, kind: "page", export: "Page", layout: layoutFile?.file ?? null }
  }

  async #explainUnrouted(method: string, path: string, search: string, originalPath: string): Promise<ExplainedAnswer> {
    const { main, directories, prefixes, mayAnswerAny } = this.#handlers
    const directory = directories.find(({ prefix }) => isBelow(path, prefix))
    const file = directory ? await this.#explainStaticFile(directory, path, search, originalPath) : null
    if (file && (method === "GET" || method === "HEAD" || file.kind === "refused")) return file
    if (file) {
      const allow = ["GET", "HEAD", "OPTIONS"]
      if (method === "OPTIONS") return { ...noAnswer, kind: "options", status: 204, allow }
      return { ...noAnswer, kind: "not_allowed", status: 405, allow }
    }
    const prefix = prefixes.find((one) => isBelow(path, one))
    const note = prefix ? `unless ${main} answers it at ${prefix}` : mayAnswerAny ? `unless ${main} answers it` : null
    return { ...noAnswer, file: this.#tree.notFound?.file ?? null, note }
  }

  /**
   * Returns the file that a static directory would answer with. As in the app, the default directory is not served
   * if a route has its prefix.
   */
  async #explainStaticFile(
    { prefix, dir, by }: StaticDirectory,
    path: string,
    search: string,
    originalPath: string,
  ): Promise<ExplainedAnswer | null> {
    const rest = (splitSegments(path) ?? []).slice(splitSegments(prefix)?.length)
    const isHidden = by !== "call" && hasRouteBelow(this.routes.router, prefix)
    const source = isHidden ? null : createFileSource(join(this.#root, dir))
    if (!source) return null
    try {
      const request = { method: "HEAD", path, search, originalPath, header: () => "" }
      const found = await serveStatic(source, rest, request)
      if (!found) return null
      const { status } = found
      if (status === 308) return { ...noAnswer, kind: "redirect", status, location: `${path}/${search}` }
      const index = path.endsWith("/") ? ["index.html"] : []
      return { ...noAnswer, kind: "file", status, file: posix.join(dir, ...rest, ...index) }
    } catch (error) {
      if (error instanceof HttpError) return { ...noAnswer, kind: "refused", status: error.status, note: error.message }
      throw error
    }
  }
}

/** Returns true for a route file. Routes of the main file are in other files. */
function isRouteFile(file: string): boolean {
  return /(?:^|\/)route\.\w+$/.test(file)
}

/** A call of rewrite, redirect or responseJSON. */
interface ProxyAction {
  readonly action: "rewrite" | "redirect" | "responseJSON"
  readonly line: number
  /** The literal path, URL or status; null if it is computed. */
  readonly to: string | null
}

/** Returns all such calls, in the order of the file. */
function findProxyActions({ source, tokens }: ModuleText): ProxyAction[] {
  return tokens.flatMap(({ text, start }, at) => {
    const isAction = text === "rewrite" || text === "redirect" || text === "responseJSON"
    if (!isAction || tokens[at + 1]?.text !== "(" || tokens[at - 1]?.text === "function") return []
    return [
      {
        action: text,
        line: toPosition(source, start).line,
        to: readLiteral(tokens[at + 2], tokens[at + 3]),
      },
    ]
  })
}

/** Returns the value of an argument that is a literal; null for any other argument. */
function readLiteral(token: ModuleToken | undefined, after: ModuleToken | undefined): string | null {
  if (!token || (after?.text !== "," && after?.text !== ")")) return null
  if (token.kind === "number") return token.text
  const isPlain = token.kind === "string" || (token.kind === "template" && !token.text.includes("${"))
  return isPlain ? parseStringLiteral(token.text) : null
}
