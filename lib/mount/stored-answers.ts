/**
 * Sends the answers that `fw build` has made in advance for routes with `prerender`, without running their handlers.
 */
import { platform } from "#platform"
import { isBodyHeader } from "../answer/caching.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { getDevHooks } from "../dev/hooks.ts"
import type { StaticHandler } from "../static/serve-static.ts"
import type { HandlerFunc } from "../types.ts"

/** The answer of a route to GET, made at build time. */
export interface StoredAnswer {
  readonly status: number
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * The name of the file in {@link storedDirectory} that contains the body. It is the hash of the body, and also its
   * ETag. Missing if there is no body.
   */
  readonly file?: string
}

/** The directory with the bodies, next to the static files of a build. */
export const storedDirectory = "fw-pages"

/**
 * `fw build` replaces this name by JSON with the answers, by canonical path. In other programs the name is not defined.
 */
declare const fwPages: string

/** The request headers on which a stored answer depends. Pages are small, so ranges are not supported. */
const requestHeaders = ["accept-encoding", "if-match", "if-none-match"]

/** The answers by path, read once for all routes. */
let storedAnswers: ReadonlyMap<string, StoredAnswer> | undefined

/**
 * Returns a handler that sends the stored answer for a path, if there is one. The given handler answers all other
 * paths.
 */
export function addStoredAnswers(handler: HandlerFunc): HandlerFunc {
  const files = typeof fwPages === "undefined" ? null : platform.files?.(storedDirectory)
  if (!files) return (getDevHooks()?.limitHandler?.(handler) as HandlerFunc | undefined) ?? handler
  storedAnswers ??= new Map(Object.entries(JSON.parse(fwPages) as Readonly<Record<string, StoredAnswer>>))
  const answers = storedAnswers
  const answer: HandlerFunc = async (c) => {
    const storedAnswer = answers.get(c.path)
    return (storedAnswer && (await sendStoredAnswer(c, storedAnswer, files))) ?? handler(c)
  }
  return Object.assign(answer, handler)
}

/** Sends a stored answer; returns null if its file is missing. */
async function sendStoredAnswer(
  c: Context,
  { status, headers, file }: StoredAnswer,
  files: StaticHandler,
): Promise<Response | null> {
  if (file === undefined) return access.respond(c, status, { ...headers }, null)
  const exchange = access.getExchange(c)
  const ownTag = headers.etag ?? `"${file}"`
  const fileAnswer = await files([file], {
    method: c.method,
    path: `/${storedDirectory}/${file}`,
    search: "",
    isFile: true,
    header: (name) => (requestHeaders.includes(name) ? exchange.header(name) : ""),
    getOwnHeader: (name) => access.getPendingHeader(c, name) || (name === "etag" ? ownTag : ""),
    env: exchange.env,
  })
  if (!fileAnswer) return null
  const { "accept-ranges": _, "content-type": __, "last-modified": ___, ...rest } = fileAnswer.headers
  const storedHeaders = Object.entries(headers).filter(([name]) => fileAnswer.status !== 304 || !isBodyHeader(name))
  const { etag = ownTag } = rest
  access.forgetHeaders(c, (name) => name === "etag")
  const finalStatus = fileAnswer.status === 200 ? status : fileAnswer.status
  return access.respond(c, finalStatus, { ...rest, ...Object.fromEntries(storedHeaders), etag }, fileAnswer.body)
}
