/** The static directories of an app, by URL prefix. They answer GET and HEAD if there is no route. */
import { platform } from "#platform"
import type { AssetManifest } from "../assets.ts"
import type { AnswerError, Link } from "../chain.ts"
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault } from "../errors/fault.ts"
import { canonicalPath, splitSegments } from "../path.ts"
import { parsePattern } from "../pattern.ts"
import { prefersHTML } from "../request/accept.ts"
import { createMethodNotAllowed, hasRouteBelow, type RouteTable } from "../router.ts"
import type { StaticAnswer, StaticHandler, StaticOptions, StaticRequest } from "./serve-static.ts"
import { servedFiles } from "./served-files.ts"

interface StaticMount {
  readonly pattern: string
  readonly prefix: readonly string[]
  readonly handler: StaticHandler
  /** The `Cache-Control` of its files. Default: `no-cache`, or what the platform chooses. */
  readonly caching: string | undefined
  /** Segments of the file for addresses without one. */
  readonly fallback: readonly string[] | undefined
}

/** Directories with prefixes. The longest prefix whose directory has the file answers. */
export class StaticMounts {
  readonly #mounts: StaticMount[] = []
  /** The bundled files of the project. */
  #bundle: StaticMount | undefined
  /** The paths of static files, by the paths that have their hashes. */
  #hashedPaths: ReadonlyMap<string, string> = new Map()
  /** The files of other builds that have hashes in their names. */
  #others: StaticMount | undefined

  /**
   * Creates a list.
   *
   * @param others directories that are served too.
   */
  constructor(others?: StaticMounts) {
    if (!others) return
    this.#mounts = [...others.#mounts]
    this.#bundle = others.#bundle
    this.#hashedPaths = others.#hashedPaths
    this.#others = others.#others
  }

  /**
   * Serves the files of a manifest: the bundled ones, and static files by the names that have their hashes.
   *
   * @throws FwError `static` if the directory of the bundled files does not exist.
   */
  addAssets({ dir, isHashed, files }: AssetManifest): void {
    const pairs = Object.entries(files).map(([path, { url }]) => [canonicalPath(url), canonicalPath(path)] as const)
    this.#hashedPaths = new Map(isHashed ? pairs.filter(([url]) => !url.startsWith(`${bundlePrefix}/`)) : [])
    if (dir === undefined) return
    this.#bundle = {
      ...parsePrefix(bundlePrefix),
      // Under `fw dev` the directory may be made later.
      handler: findHandler(bundlePrefix, dir, isHashed),
      caching: isHashed ? neverChanges : undefined,
      fallback: undefined,
    }
  }

  /** Serves the files of other builds, if they have hashes in their names. @param handler finds them by their whole paths. */
  addOthers(handler: StaticHandler): void {
    this.#others = { pattern: "/", prefix: [], handler, caching: neverChanges, fallback: undefined }
  }

  /** Returns true if a directory is served at this plain path or above it. */
  hasMountAt(path: string): boolean {
    const parts = splitSegments(path) ?? []
    return this.#mounts.some(({ prefix }) => prefix.every((part, index) => parts[index] === part))
  }

  /**
   * Adds a directory. @throws FwError `static` for a directory that does not exist, and a prefix that has
   * parameters or is taken.
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

  /** Returns a link that answers requests for files; other requests go to the next link. */
  createLink(next: Link, fail: AnswerError): Link {
    return (c) =>
      this.#answer(c)
        .then((response) => response ?? next(c))
        .catch((error) => fail(c, error))
  }

  /** Lists the files that have hashes in their names, each with the path of its bytes. Compressed siblings may be missing. */
  listHashed(): (readonly [path: string, source: string])[] {
    const siblings = ["", ".br", ".gz"]
    const named = [...this.#hashedPaths].flatMap(([path, source]) =>
      siblings.map((ending) => [path + ending, source + ending] as const),
    )
    const bundled = this.#bundle?.handler.list?.() ?? []
    return [...named, ...bundled.map((name) => `${bundlePrefix}/${name}`).map((path) => [path, path] as const)]
  }

  /** Returns the bytes of a file; null if there is none. @param path as {@link listHashed} lists it. */
  async read(path: string): Promise<ReadableStream<Uint8Array> | null> {
    const parts = splitSegments(path) ?? []
    for (const { prefix, handler } of this.#listMounts(parts)) {
      const request = { method: "GET", path, search: "", isFile: true, header: () => "" }
      const answer = await handler(parts.slice(prefix.length), request)
      if (answer) return new Response(answer.body ?? "").body
    }
    return null
  }

  /** Returns the directories that may have a file, in their order. */
  #listMounts(parts: readonly string[]): StaticMount[] {
    const all = this.#bundle ? [this.#bundle, ...this.#mounts] : this.#mounts
    return all.filter(({ prefix }) => prefix.every((part, index) => parts[index] === part))
  }

  /** Returns the requested file, or null. @throws HttpError 405 for another method than GET and HEAD. */
  async #answer(c: Context): Promise<Response | null> {
    const original = this.#hashedPaths.get(c.path)
    const path = original ?? c.path
    const parts = splitSegments(path)
    if (!parts) return null
    const exchange = access.getExchange(c)
    const { method } = c
    const isRead = method === "GET" || method === "HEAD"
    const request: StaticRequest = {
      // If the file is not sent, only its existence counts.
      method: isRead ? method : "HEAD",
      path,
      search: exchange.search,
      originalPath: original ?? c.originalPath,
      header: (name) => (isRead ? exchange.header(name) : ""),
      given: (name) => access.getPendingHeader(c, name),
      env: exchange.env,
    }
    const mounts = this.#listMounts(parts)
    if (this.#others && hashedName.test(path)) mounts.push(this.#others)
    for (const { prefix, handler, caching } of mounts) {
      const answer = await handler(parts.slice(prefix.length), request)
      if (answer) return isRead ? sendFile(c, answer, original ? neverChanges : caching) : answerOtherMethod(c)
    }
    return isRead ? answerFallback(c, mounts, request) : null
  }
}

/** Returns a prefix as a pattern and as its segments. @throws FwError `static` for one that has parameters. */
function parsePrefix(prefix: string): Pick<StaticMount, "pattern" | "prefix"> {
  const { names, segments, text } = parsePattern(prefix)
  if (names.length > 0) throw fault("static.parameter", [prefix])
  return { pattern: text, prefix: segments.map((segment) => (segment.kind === "static" ? segment.value : "")) }
}

/** Returns the files of a directory. @throws FwError `static` if it does not exist. */
function findHandler(prefix: string, dir: string, embed: boolean): StaticHandler {
  if (!platform.files) throw fault("platform", ["static files"])
  const handler = platform.files(dir, embed)
  if (!handler) throw fault("static.missing", [dir, prefix])
  return handler
}

/** Returns the `Cache-Control` of options; undefined if they say nothing. @throws FwError `static` for a wrong number. */
function formatCaching(prefix: string, { maxAge, immutable }: StaticOptions): string | undefined {
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
    throw fault("static.maxAge", [prefix, maxAge])
  if (immutable && maxAge === undefined) return neverChanges
  return maxAge === undefined ? undefined : `public, max-age=${maxAge}${immutable ? ", immutable" : ""}`
}

/** Returns the segments of a file. @throws FwError `static` for what is not the name of a file below the directory. */
function parseFallback(prefix: string, fallback: unknown): readonly string[] | undefined {
  if (fallback === undefined) return undefined
  const segments = typeof fallback === "string" ? fallback.split("/") : []
  if (segments.length === 0 || !segments.every(isVisibleName)) throw fault("static.fallback", [prefix, fallback])
  return segments
}

/** Returns true for a name that static files may have. */
function isVisibleName(segment: string): boolean {
  return /^[^.\\\0][^\\\0]*$/.test(segment)
}

/** Returns an answer with a file. */
function sendFile(c: Context, { status, headers, body }: StaticAnswer, caching?: string): Response {
  servedFiles.add(c)
  // The redirect of a directory is no file.
  if (caching !== undefined && status < 400 && !("location" in headers)) headers["cache-control"] = caching
  // The answer already has the tag that was made from the program's own for an encoding.
  access.forgetHeaders(c, (name) => name === "etag" && name in headers)
  return access.respond(c, status, headers, body)
}

/** Answers as routes do for a path that has only other methods (RFC 9110 §9.3.7, §15.5.6). @throws HttpError 405 */
function answerOtherMethod(c: Context): Response {
  const passed = c.method === "OPTIONS" ? undefined : access.getExchange(c).passToHost?.()
  if (passed) return passed
  const allow = "GET, HEAD, OPTIONS"
  if (c.method !== "OPTIONS") throw createMethodNotAllowed(c.path, c.method, allow)
  c.setHeader("Allow", allow)
  return c.noContent()
}

/** Returns the file for addresses without one, to a client that opens a page; otherwise null. */
async function answerFallback(
  c: Context,
  mounts: readonly StaticMount[],
  request: StaticRequest,
): Promise<Response | null> {
  // A name that begins with a dot is private, or is for programs (`.well-known`).
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
 * Returns an app's static directories with the default one, if it is set, or exists and no route has its
 * prefix.
 *
 * @param given the app's own.
 * @throws FwError `static` if it is set and does not exist.
 */
export function addStandardMount(
  given: StaticMounts | undefined,
  dir: string,
  isExplicit: boolean,
  router: RouteTable,
): StaticMounts | undefined {
  if (
    !isExplicit &&
    (!platform.files?.(dir) || given?.hasMountAt(standardPrefix) || hasRouteBelow(router, standardPrefix))
  )
    return given
  // A separate list, because a failed start may be repeated.
  const all = new StaticMounts(given)
  all.add(standardPrefix, dir)
  return all
}

/** Prefix of the bundled files. */
const bundlePrefix = "/assets"

/** The `Cache-Control` of a file whose name changes with its content (RFC 8246): a year. */
const neverChanges = "public, max-age=31536000, immutable"

/** The path of a file that has a hash in its name, as the command writes it, or of a copy of one, such as `cart-5KQ2ZV7N.js.br`. */
export const hashedName = /-[0-9A-Z]{8}(?:\.[^/.]+){0,3}$/

/** Prefix of the default directory. */
const standardPrefix = "/static"
