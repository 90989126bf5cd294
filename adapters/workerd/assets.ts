/** Answers with static files from the asset binding of a worker, `env.ASSETS`. */
import { isBodyHeader } from "../../lib/answer/caching.ts"
import { fault } from "../../lib/errors/fault.ts"
import { HttpError } from "../../lib/errors.ts"
import { createRelativeReference, hasSameEnd } from "../../lib/path.ts"
import { readDate } from "../../lib/request/header-grammar.ts"
import { evaluatePreconditions, isRangeValid, type Validators } from "../../lib/static/preconditions.ts"
import type { FindFiles, StaticAnswer, StaticHandler, StaticRequest } from "../../lib/static/serve-static.ts"

/** The binding with the static files. */
interface Assets {
  fetch(request: Request): Promise<Response>
}

/** Statuses with which the binding answers for an existing file. */
const fileStatuses = new Set([200, 206, 304, 307, 308])

/**
 * Asks the binding for the file at the path of a request, with the conditional headers. The binding knows types and
 * tags. A file that it does not find does not exist. The platform compresses responses itself.
 */
export const answerAsset: StaticHandler = async (segments, request): Promise<StaticAnswer | null> => {
  const { ASSETS } = (request.env ?? {}) as { ASSETS?: Assets }
  // Dotfiles are never served, as from a disk.
  const isHidden = segments.some((segment) => segment.startsWith(".") && segment !== ".well-known")
  if (!ASSETS || isHidden) return null
  const ownValidators = readOwnValidators(request)
  const headers: Record<string, string> = {}
  for (const name of ownValidators ? listConditionHeaders(request, ownValidators) : forwardedHeaders) {
    const value = request.header(name)
    if (value !== "") headers[name] = value
  }
  const { method, path, search, originalPath = path } = request
  const url = `http://assets${path}${search}`
  const requestAsset = (url: string) => ASSETS.fetch(new Request(url, { method, headers, redirect: "manual" }))
  let asset = await requestAsset(url)
  let location = asset.headers.get("location")
  if (location !== null && (request.isFile || !hasSameEnd(path, originalPath))) {
    // If a proxy has rewritten the request, the client cannot be redirected. So the redirect is followed here.
    asset = await requestAsset(new URL(location, url).href)
    location = asset.headers.get("location")
  }
  if (!fileStatuses.has(asset.status)) {
    await asset.body?.cancel()
    return null
  }
  const answer = Object.fromEntries(asset.headers)
  if (ownValidators?.etag && location === null) answer.etag = ownValidators.etag
  const failedCondition =
    ownValidators && location === null ? evaluatePreconditions(request.header, ownValidators) : null
  if (failedCondition) {
    await asset.body?.cancel()
    return answerCondition(failedCondition, answer)
  }
  if (location !== null) answer.location = toRelativeLocation(location, url)
  return { status: asset.status, headers: answer, body: asset.body as StaticAnswer["body"] }
}

/** The request headers that are passed to the binding. */
const forwardedHeaders = ["accept-encoding", "if-match", "if-modified-since", "if-none-match", "if-range", "range"]

/**
 * Returns the tag and the date that the program has set. The binding does not know them. Undefined if there are none.
 */
function readOwnValidators({ getOwnHeader }: StaticRequest): Validators | undefined {
  const [etag = "", modified = ""] = [getOwnHeader?.("etag"), getOwnHeader?.("last-modified")]
  return etag === "" && modified === "" ? undefined : { etag, modifiedMs: readDate(modified) }
}

/** Returns the request headers that are still passed to the binding if the conditions are checked here. */
function listConditionHeaders({ header }: StaticRequest, validators: Validators): readonly string[] {
  return isRangeValid(header, validators) ? ["accept-encoding", "range"] : ["accept-encoding"]
}

/** Returns the answer for a failed condition: a 304. @throws HttpError 412 */
function answerCondition(status: 304 | 412, headers: Record<string, string>): StaticAnswer {
  if (status === 412) throw new HttpError(412, "the file does not match the condition of the request")
  const keptHeaders = Object.entries(headers).filter(([name]) => !isBodyHeader(name))
  return { status, headers: Object.fromEntries(keptHeaders), body: null }
}

/** Returns the target of a redirect by the binding, relative to the app. A redirect to another host stays as it is. */
function toRelativeLocation(location: string, url: string): string {
  const from = new URL(url)
  const to = new URL(location, from)
  return to.host === from.host ? createRelativeReference(from.pathname, to.pathname) + to.search : location
}

/**
 * Returns the handler for a directory. It is the same for all directories, because the binding contains all files.
 * @throws FwError `platform` for a directory that must be read from a disk.
 */
export const findAssetFiles: FindFiles = (dir, embed = true) => {
  if (embed) return answerAsset
  throw fault("platform.files", [dir])
}
