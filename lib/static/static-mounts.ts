/** The static directories of an app by their prefixes. They answer GET and HEAD if there is no route. */
import { platform } from "#platform"
import type { AssetManifest } from "../assets.ts"
import type { AnswerError, Link } from "../chain.ts"
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault } from "../errors/fault.ts"
import { canonicalizePath, splitSegments } from "../path.ts"
import { parsePattern } from "../pattern.ts"
import { prefersHTML } from "../request/accept.ts"
import { createMethodNotAllowed, hasRouteBelow, type RouteTable } from "../router.ts"
import type { StaticAnswer, StaticHandler, StaticOptions, StaticRequest } from "./serve-static.ts"
import { servedFiles } from "./served-files.ts"

interface StaticMount {
  readonly pattern: string
  readonly prefix: readonly string[]
  readonly handler: StaticHandler
  /** The `Cache-Control` for files of the directory. Default: `no-cache`, or what the platform chooses. */
  readonly caching: string | undefined
  /** The segments of the file that answers for paths without a file. */
  readonly fallback: readonly string[] | undefined
}

/** Several static directories. A file is looked for in the directory with the longest prefix first. */
export class StaticMounts {
  readonly #mounts: StaticMount[] = []
  /** The directory of the project's bundled files. */
  #bundle: StaticMount | undefined
  /** The paths of static files, by their paths with hashes. */
  #hashedPaths: ReadonlyMap<string, string> = new Map()
  /** Files with hashes in their names that belong to other builds of the program. */
  #otherBuilds: StaticMount | undefined

  /**
   * Creates the static directories of an app.
   *
   * @param otherMounts static directories that are served too.
   */
  constructor(otherMounts?: StaticMounts) {
    if (!otherMounts) return
    this.#mounts = [...otherMounts.#mounts]
    this.#bundle = otherMounts.#bundle
    this.#hashedPaths = otherMounts.#hashedPaths
    this.#otherBuilds = otherMounts.#otherBuilds
  }

  /**
   * Serves the files of a manifest: the bundled files, and static files under names with hashes.
   *
   * @throws FwError `static` if the directory of the bundled files does not exist.
   */
  addAssets({ dir, isHashed, files }: AssetManifest): void {
    const pairs = Object.entries(files).map(
      ([path, { url }]) => [canonicalizePath(url), canonicalizePath(path)] as const,
    )
    this.#hashedPaths = new Map(isHashed ? pairs.filter(([url]) => !url.startsWith(`${bundlePrefix}/`)) : [])
    if (dir === undefined) return
    this.#bundle = {
      ...parsePrefix(bundlePrefix),
      // Under `fw dev` the directory may be created later.
      handler: findHandler(bundlePrefix, dir, isHashed),
      caching: isHashed ? immutableCaching : undefined,
      fallback: undefined,
    }
  }

  /**
   * Serves files of other builds. @param handler finds a file by its whole path, which must contain a hash.
   */
  setOtherBuilds(handler: StaticHandler): void {
    this.#otherBuilds = { pattern: "/", prefix: [], handler, caching: immutableCaching, fallback: undefined }
  }

  /** Returns true if a directory is served at a path without parameters, or above it. */
  hasMountAt(path: string): boolean {
    const parts = splitSegments(path) ?? []
    return this.#mounts.some(({ prefix }) => prefix.every((part, index) => parts[index] === part))
  }

  /**
   * Adds a directory. @throws FwError `static` if the directory does not exist, and if the prefix has parameters or is
   * already used.
   */
  add(prefix: string, dir: string, options: StaticOptions = {}): void {
    const place = parsePrefix(prefix)
    checkKeys(options, ["embed", "fallback", "immutable", "maxAge"], "static", "app.static()", {
      embed: "boolean",
      immutable: "boolean",
    })
    const { embed = true, fallback } = options
    if (typeof dir !== "string" || dir === "" || dir.includes("\0")) throw fault("static.directory", [prefix, dir])
    const handler = findHandler(prefix, dir, embed)
    if (this.#mounts.some(({ pattern }) => pattern === place.pattern)) throw fault("static.twice", [place.pattern])
    const caching = formatCaching(prefix, options)
    this.#mounts.push({ ...place, handler, caching, fallback: parseFallback(prefix, fallback) })
    this.#mounts.sort((a, b) => b.prefix.length - a.prefix.length)
  }

  /** Returns a link that answers requests for files. All other requests go to the next link. */
  createLink(next: Link, fail: AnswerError): Link {
    return (c) =>
      this.#answer(c)
        .then((response) => response ?? next(c))
        .catch((error) => fail(c, error))
  }

  /**
   * Lists the files with hashes in their names, each with the path of the file on disk. Some listed compressed files
   * may not exist.
   */
  listHashed(): (readonly [path: string, source: string])[] {
    const endings = ["", ".br", ".gz"]
    const staticFiles = [...this.#hashedPaths].flatMap(([path, source]) =>
      endings.map((ending) => [path + ending, source + ending] as const),
    )
    const bundledNames = this.#bundle?.handler.list?.() ?? []
    return [
      ...staticFiles,
      ...bundledNames.map((name) => `${bundlePrefix}/${name}`).map((path) => [path, path] as const),
    ]
  }

  /** Returns the bytes of a file; null if there is none. @param path a path from {@link listHashed}. */
  async read(path: string): Promise<ReadableStream<Uint8Array> | null> {
    const parts = splitSegments(path) ?? []
    for (const { prefix, handler } of this.#listMounts(parts)) {
      const request = { method: "GET", path, search: "", isFile: true, header: () => "" }
      const answer = await handler(parts.slice(prefix.length), request)
      if (answer) return new Response(answer.body ?? "").body
    }
    return null
  }

  /** Returns the directories that may contain a file, in the order in which they are searched. */
  #listMounts(parts: readonly string[]): StaticMount[] {
    const mounts = this.#bundle ? [this.#bundle, ...this.#mounts] : this.#mounts
    return mounts.filter(({ prefix }) => prefix.every((part, index) => parts[index] === part))
  }

  /**
   * Returns the answer with a file; null if there is none. @throws HttpError 405 for other methods than GET and HEAD.
   */
  async #answer(c: Context): Promise<Response | null> {
    const filePath = this.#hashedPaths.get(c.path)
    const path = filePath ?? c.path
    const parts = splitSegments(path)
    if (!parts) return null
    const exchange = access.getExchange(c)
    const { method } = c
    const isRead = method === "GET" || method === "HEAD"
    const request: StaticRequest = {
      // The answer will be a 405, so it only matters whether the file exists.
      method: isRead ? method : "HEAD",
      path,
      search: exchange.search,
      originalPath: filePath ?? c.originalPath,
      header: (name) => (isRead ? exchange.header(name) : ""),
      getOwnHeader: (name) => access.getPendingHeader(c, name),
      env: exchange.env,
    }
    const mounts = this.#listMounts(parts)
    if (this.#otherBuilds && hashedName.test(path)) mounts.push(this.#otherBuilds)
    for (const { prefix, handler, caching } of mounts) {
      const answer = await handler(parts.slice(prefix.length), request)
      if (answer) return isRead ? sendFile(c, answer, filePath ? immutableCaching : caching) : answerOtherMethod(c)
    }
    return isRead ? answerFallback(c, mounts, request) : null
  }
}

/** Returns a prefix as a pattern and as segments. @throws FwError `static` if it has parameters. */
function parsePrefix(prefix: string): Pick<StaticMount, "pattern" | "prefix"> {
  const { names, segments, text } = parsePattern(prefix)
  if (names.length > 0) throw fault("static.parameter", [prefix])
  return { pattern: text, prefix: segments.map((segment) => (segment.kind === "static" ? segment.value : "")) }
}

/** Returns the handler for a directory. @throws FwError `static` if the directory does not exist. */
function findHandler(prefix: string, dir: string, embed: boolean): StaticHandler {
  if (!platform.files) throw fault("platform", ["static files"])
  const handler = platform.files(dir, embed)
  if (!handler) throw fault("static.missing", [dir, prefix])
  return handler
}

/**
 * Returns the `Cache-Control` for the options; undefined if they do not set it. @throws FwError `static` for an invalid
 * number.
 */
function formatCaching(prefix: string, { maxAge, immutable }: StaticOptions): string | undefined {
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
    throw fault("static.maxAge", [prefix, maxAge])
  if (immutable && maxAge === undefined) return immutableCaching
  return maxAge === undefined ? undefined : `public, max-age=${maxAge}${immutable ? ", immutable" : ""}`
}

/**
 * Returns the segments of the fallback file. @throws FwError `static` if it is not the name of a file in the directory.
 */
function parseFallback(prefix: string, fallback: unknown): readonly string[] | undefined {
  if (fallback === undefined) return undefined
  const segments = typeof fallback === "string" ? fallback.split("/") : []
  if (segments.length === 0 || !segments.every(isVisibleName)) throw fault("static.fallback", [prefix, fallback])
  return segments
}

/** Returns true for a name that a static file may have. */
function isVisibleName(segment: string): boolean {
  return /^[^.\\\0][^\\\0]*$/.test(segment)
}

/** Sends the answer with a file. */
function sendFile(c: Context, { status, headers, body }: StaticAnswer, caching?: string): Response {
  servedFiles.add(c)
  // A redirect to a directory is not cached like a file.
  if (caching !== undefined && status < 400 && !("location" in headers)) headers["cache-control"] = caching
  // The answer has the program's own tag already, adapted to the encoding.
  access.forgetHeaders(c, (name) => name === "etag" && name in headers)
  return access.respond(c, status, headers, body)
}

/**
 * Answers a path that has a file, but no route for the method, as a route would (RFC 9110 §9.3.7, §15.5.6). @throws
 * HttpError 405
 */
function answerOtherMethod(c: Context): Response {
  const hostAnswer = c.method === "OPTIONS" ? undefined : access.getExchange(c).passToHost?.()
  if (hostAnswer) return hostAnswer
  const allow = "GET, HEAD, OPTIONS"
  if (c.method !== "OPTIONS") throw createMethodNotAllowed(c.path, c.method, allow)
  c.setHeader("Allow", allow)
  return c.noContent()
}

/** Returns the fallback file if the client opens a page; otherwise null. */
async function answerFallback(
  c: Context,
  mounts: readonly StaticMount[],
  request: StaticRequest,
): Promise<Response | null> {
  // Paths with a dotfile are private, or are requested by programs (`.well-known`).
  const isPage = prefersHTML(request.header("accept")) && !splitSegments(c.path)?.some((part) => part[0] === ".")
  const mount = mounts.find(({ fallback }) => fallback)
  if (!mount?.fallback) return null
  c.appendHeader("Vary", "Accept")
  if (!isPage) return null
  const names = mount.fallback.map((name) => encodeURIComponent(name))
  const path = `${mount.pattern === "/" ? "" : mount.pattern}/${names.join("/")}`
  const answer = await mount.handler(mount.fallback, { ...request, path, originalPath: path, isFile: true })
  if (!answer) throw fault("static.fallback_missing", [mount.pattern, mount.fallback.join("/")])
  return sendFile(c, answer, mount.caching)
}

/**
 * Returns the static directories of an app, and adds the default directory. It is added if the program has set it, or
 * if it exists and no route begins with its prefix.
 *
 * @param addedMounts the directories that the app has added.
 * @throws FwError `static` if the program has set the directory and it does not exist.
 */
export function addStandardMount(
  addedMounts: StaticMounts | undefined,
  dir: string,
  isExplicit: boolean,
  router: RouteTable,
): StaticMounts | undefined {
  if (
    !isExplicit &&
    (!platform.files?.(dir) || addedMounts?.hasMountAt(standardPrefix) || hasRouteBelow(router, standardPrefix))
  )
    return addedMounts
  // A copy, because the start may fail and be repeated.
  const mounts = new StaticMounts(addedMounts)
  mounts.add(standardPrefix, dir)
  return mounts
}

/** The prefix of the bundled files. */
const bundlePrefix = "/assets"

/** The `Cache-Control` of files whose names change with their content (RFC 8246). They stay valid for a year. */
const immutableCaching = "public, max-age=31536000, immutable"

/**
 * The end of a path whose file name contains a hash that the command has added. Copies such as `cart-5KQ2ZV7N.js.br`
 * have it too.
 */
export const hashedName = /-[0-9A-Z]{8}(?:\.[^/.]+){0,3}$/

/** The prefix of the default directory. */
const standardPrefix = "/static"
