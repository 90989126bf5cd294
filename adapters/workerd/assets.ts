/** Static files from a worker's asset binding, `env.ASSETS`. */
import { isBodyHeader } from "../../lib/answer/caching.ts"
import { fault } from "../../lib/errors/fault.ts"
import { HttpError } from "../../lib/errors.ts"
import { createRelativeReference, hasSameEnd } from "../../lib/path.ts"
import { readDate } from "../../lib/request/header-grammar.ts"
import { evaluatePreconditions, isRangeValid, type Validators } from "../../lib/static/preconditions.ts"
import type { FindFiles, StaticAnswer, StaticHandler, StaticRequest } from "../../lib/static/serve-static.ts"

/** The binding of the platform. */
interface Assets {
  fetch(request: Request): Promise<Response>
}

/** Statuses that describe a file; with any other, the file does not exist. */
const fileStatuses = new Set([200, 206, 304, 307, 308])

/**
 * Requests the file at the request's path, with its prefix and the conditional headers, from the binding. The
 * binding knows types and tags; a file that it does not find does not exist. The platform compresses
 * responses.
 */
export const answerAsset: StaticHandler = async (segments, request): Promise<StaticAnswer | null> => {
  const { ASSETS } = (request.env ?? {}) as { ASSETS?: Assets }
  // Dotfiles do not exist, as on a disk.
  const isHidden = segments.some((segment) => segment.startsWith(".") && segment !== ".well-known")
  if (!ASSETS || isHidden) return null
  const given = readOwnValidators(request)
  const headers: Record<string, string> = {}
  for (const name of given ? listConditionHeaders(request, given) : forwardedHeaders) {
    const value = request.header(name)
    if (value !== "") headers[name] = value
  }
  const { method, path, search, originalPath = path } = request
  const url = `http://assets${path}${search}`
  const requestAsset = (url: string) => ASSETS.fetch(new Request(url, { method, headers, redirect: "manual" }))
  let asset = await requestAsset(url)
  let location = asset.headers.get("location")
  if (location !== null && (request.isFile || !hasSameEnd(path, originalPath))) {
    // A request that was rewritten to a file has no URL to redirect to.
    asset = await requestAsset(new URL(location, url).href)
    location = asset.headers.get("location")
  }
  if (!fileStatuses.has(asset.status)) {
    await asset.body?.cancel()
    return null
  }
  const answer = Object.fromEntries(asset.headers)
  if (given?.etag && location === null) answer.etag = given.etag
  const failedCondition = given && location === null ? evaluatePreconditions(request.header, given) : null
  if (failedCondition) {
    await asset.body?.cancel()
    return answerCondition(failedCondition, answer)
  }
  if (location !== null) answer.location = toRelativeLocation(location, url)
  return { status: asset.status, headers: answer, body: asset.body as StaticAnswer["body"] }
}

/** Headers of the request that the binding reads. */
const forwardedHeaders = ["accept-encoding", "if-match", "if-modified-since", "if-none-match", "if-range", "range"]

/** Returns the validators that the program has set, which the binding does not know; undefined if it has set none. */
function readOwnValidators({ given }: StaticRequest): Validators | undefined {
  const [etag = "", modified = ""] = [given?.("etag"), given?.("last-modified")]
  return etag === "" && modified === "" ? undefined : { etag, modified: readDate(modified) }
}

/** Returns the headers that the binding still needs if the conditions are checked here. */
function listConditionHeaders({ header }: StaticRequest, given: Validators): readonly string[] {
  return isRangeValid(header, given) ? ["accept-encoding", "range"] : ["accept-encoding"]
}

/** Returns a 304. @throws HttpError 412 */
function answerCondition(status: 304 | 412, headers: Record<string, string>): StaticAnswer {
  if (status === 412) throw new HttpError(412, "the file does not match the condition of the request")
  const keptHeaders = Object.entries(headers).filter(([name]) => !isBodyHeader(name))
  return { status, headers: Object.fromEntries(keptHeaders), body: null }
}

/** Returns the target of the binding's redirect below the app's prefix. Another host is kept. */
function toRelativeLocation(location: string, url: string): string {
  const from = new URL(url)
  const to = new URL(location, from)
  return to.host === from.host ? createRelativeReference(from.pathname, to.pathname) + to.search : location
}

/**
 * Returns the binding for every directory, because it contains all of them. @throws FwError `platform` for a
 * directory that should be read from a disk.
 */
export const findAssetFiles: FindFiles = (dir, embed = true) => {
  if (embed) return answerAsset
  throw fault("platform.files", [dir])
}
