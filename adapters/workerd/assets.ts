/** Static files from a worker's asset binding, `env.ASSETS`. */
import { fault } from "../../lib/fault.ts"
import { endsAlike, relativeReference } from "../../lib/path.ts"
import type { FilesOf, StaticAnswer, StaticHandler } from "../../lib/static/static.ts"

/** The binding of the platform. */
interface Assets {
  fetch(request: Request): Promise<Response>
}

/** Statuses that describe a file; with any other, the file does not exist. */
const told = new Set([200, 206, 304, 307, 308])

/**
 * Requests the file at the request's path, with its prefix and the conditional headers, from the binding. The
 * binding knows types and tags; a file that it does not find does not exist. The platform compresses
 * responses.
 */
export const answerAsset: StaticHandler = async (segments, request): Promise<StaticAnswer | null> => {
  const { ASSETS } = (request.env ?? {}) as { ASSETS?: Assets }
  // Dotfiles do not exist, as on a disk.
  const hidden = segments.some((segment) => segment.startsWith(".") && segment !== ".well-known")
  if (!ASSETS || hidden) return null
  const headers: Record<string, string> = {}
  for (const name of [
    "accept-encoding",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "range",
  ]) {
    const value = request.header(name)
    if (value !== "") headers[name] = value
  }
  const { method, path, search, originalPath = path } = request
  const url = `http://assets${path}${search}`
  const ask = (url: string) => ASSETS.fetch(new Request(url, { method, headers, redirect: "manual" }))
  let asset = await ask(url)
  let location = asset.headers.get("location")
  if (location !== null && !endsAlike(path, originalPath)) {
    // A request that was rewritten to a file has no URL to redirect to.
    asset = await ask(new URL(location, url).href)
    location = asset.headers.get("location")
  }
  if (!told.has(asset.status)) {
    await asset.body?.cancel()
    return null
  }
  const answer = Object.fromEntries(asset.headers)
  if (location !== null) answer.location = relative(location, url)
  return { status: asset.status, headers: answer, body: asset.body as StaticAnswer["body"] }
}

/** Returns the target of the binding's redirect below the app's prefix. Another host is kept. */
function relative(location: string, url: string): string {
  const from = new URL(url)
  const to = new URL(location, from)
  return to.host === from.host ? relativeReference(from.pathname, to.pathname) + to.search : location
}

/**
 * Returns the binding for every directory, because it contains all of them. @throws FwError `platform` for a
 * directory that should be read from a disk.
 */
export const assetFiles: FilesOf = (dir, embed = true) => {
  if (embed) return answerAsset
  throw fault("platform.files", [dir])
}
