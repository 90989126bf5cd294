/** The static directories of an app, by URL prefix. They answer GET and HEAD if there is no route. */
import { platform } from "#platform"
import type { ErrorAnswer, Link } from "../chain.ts"
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault } from "../fault.ts"
import { segmentsOf } from "../path.ts"
import { parsePattern } from "../pattern.ts"
import { claims, type RouteTable } from "../router.ts"
import { servedFiles } from "./served-files.ts"
import type { StaticHandler, StaticOptions } from "./static.ts"

interface StaticMount {
  readonly text: string
  readonly prefix: readonly string[]
  readonly handler: StaticHandler
}

/** Directories with prefixes. The longest prefix whose directory has the file answers. */
export class StaticMounts {
  readonly #mounts: StaticMount[]

  /**
   * Creates a list.
   *
   * @param others directories that are served too.
   */
  constructor(others?: StaticMounts) {
    this.#mounts = others ? [...others.#mounts] : []
  }

  /** Returns true if a directory is served at this plain path or above it. */
  covers(path: string): boolean {
    const parts = segmentsOf(path) ?? []
    return this.#mounts.some(({ prefix }) => prefix.every((part, index) => parts[index] === part))
  }

  /**
   * Adds a directory. @throws FwError `static` for a directory that does not exist, and a prefix that has
   * parameters or is taken.
   */
  add(prefix: string, dir: string, options: StaticOptions = {}): void {
    const pattern = parsePattern(prefix)
    checkKeys(options, ["embed"], "static", "app.static()", { embed: "boolean" })
    const { embed = true } = options
    if (typeof dir !== "string" || dir === "" || dir.includes("\0"))
      throw fault("static.directory", [prefix, dir])
    if (!platform.files) throw fault("platform", ["static files"])
    const handler = platform.files(dir, embed)
    if (!handler) throw fault("static.missing", [dir, prefix])
    if (pattern.names.length > 0) throw fault("static.parameter", [prefix])
    if (this.#mounts.some(({ text }) => text === pattern.text)) throw fault("static.twice", [pattern.text])
    const parts = pattern.segments.map((segment) => (segment.kind === "static" ? segment.value : ""))
    this.#mounts.push({ text: pattern.text, prefix: parts, handler })
    this.#mounts.sort((a, b) => b.prefix.length - a.prefix.length)
  }

  /** Returns a link that answers GET and HEAD with files; other requests go to the next link. */
  before(next: Link, fail: ErrorAnswer): Link {
    return (c) => {
      if (c.method !== "GET" && c.method !== "HEAD") return next(c)
      return this.#answer(c)
        .then((response) => response ?? next(c))
        .catch((error) => fail(c, error))
    }
  }

  /** Returns the requested file, or null. */
  async #answer(c: Context): Promise<Response | null> {
    const parts = segmentsOf(c.path)
    if (!parts) return null
    const exchange = access.exchange(c)
    const request = {
      method: c.method,
      path: c.path,
      search: exchange.search,
      originalPath: c.originalPath,
      header: (name: string) => exchange.header(name),
      env: exchange.env,
    }
    for (const { prefix, handler } of this.#mounts) {
      if (!prefix.every((part, index) => parts[index] === part)) continue
      const answer = await handler(parts.slice(prefix.length), request)
      if (!answer) continue
      servedFiles.add(c)
      return access.respond(c, answer.status, answer.headers, answer.body)
    }
    return null
  }
}

/**
 * Returns an app's static directories with the default one, if it is set, or exists and no route has its
 * prefix.
 *
 * @param given the app's own.
 * @throws FwError `static` if it is set and does not exist.
 */
export function withStandard(
  given: StaticMounts | undefined,
  dir: string,
  isExplicit: boolean,
  router: RouteTable,
): StaticMounts | undefined {
  if (!isExplicit && (!platform.files?.(dir) || given?.covers(standard) || claims(router, standard)))
    return given
  // A separate list, because a failed start may be repeated.
  const all = new StaticMounts(given)
  all.add(standard, dir)
  return all
}

/** Prefix of the default directory. */
const standard = "/static"
