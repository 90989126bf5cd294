/** The static directories of an app, by URL prefix: they answer GET and HEAD where no route does. */
import { platform } from "#platform"
import type { ErrorAnswer, Link } from "../chain.ts"
import { checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault } from "../fault.ts"
import { segmentsOf } from "../path.ts"
import { parsePattern } from "../pattern.ts"
import type { RouteTable } from "../router.ts"
import { servedFiles } from "./served-files.ts"
import type { StaticHandler, StaticOptions } from "./static.ts"

interface StaticMount {
  readonly text: string
  readonly prefix: readonly string[]
  readonly handler: StaticHandler
}

/** Directories under prefixes; the longest prefix that has the file answers. */
export class StaticMounts {
  readonly #mounts: StaticMount[]

  /** @param others directories that are served too. */
  constructor(others?: StaticMounts) {
    this.#mounts = others ? [...others.#mounts] : []
  }

  /** Whether a directory is served under this plain path or above it. */
  covers(path: string): boolean {
    const parts = segmentsOf(path) ?? []
    return this.#mounts.some(({ prefix }) => prefix.every((part, index) => parts[index] === part))
  }

  /** @throws FwError `static` for a directory that does not exist, a prefix with parameters or one that is taken. */
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

  /** Answers GET and HEAD with the files that are asked for; all else is the next link's. */
  before(next: Link, fail: ErrorAnswer): Link {
    return (c) => {
      if (c.method !== "GET" && c.method !== "HEAD") return next(c)
      return this.#answer(c)
        .then((response) => response ?? next(c))
        .catch((error) => fail(c, error))
    }
  }

  /** The file that a request asks for, or null. */
  async #answer(c: Context): Promise<Response | null> {
    const parts = segmentsOf(c.path)
    if (!parts) return null
    const exchange = access.exchange(c)
    const request = {
      method: c.method,
      path: c.path,
      search: exchange.search,
      asked: c.originalPath,
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
 * An app's static directories with the standard one, where it is asked for, or exists and no route claims its prefix.
 *
 * @param given the app's own. @throws FwError `static` where it is asked for and does not exist.
 */
export function withStandard(
  given: StaticMounts | undefined,
  dir: string,
  asked: boolean,
  router: RouteTable,
): StaticMounts | undefined {
  if (!asked && (!platform.files?.(dir) || given?.covers(standard) || router.claims(standard))) return given
  // A list of its own: a start that fails may be tried again.
  const all = new StaticMounts(given)
  all.add(standard, dir)
  return all
}

/** Where the static directory is served. */
const standard = "/static"
