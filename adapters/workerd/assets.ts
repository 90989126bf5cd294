/** Static files out of a worker's asset binding, `env.ASSETS`. Called through the workers platform. */
import { FwError } from "../../lib/errors.ts"
import { endsAlike, relativeReference } from "../../lib/path.ts"
import type { FilesOf, StaticAnswer, StaticHandler } from "../../lib/static/static.ts"

/** What the platform binds. */
interface Assets {
  fetch(request: Request): Promise<Response>
}

/** Statuses that are an answer about a file; of any other, the file does not exist. */
const told = new Set([200, 206, 304, 307, 308])

/**
 * Asks the binding for the file at the request's path, prefix included, with the headers that make it conditional. The
 * binding knows types and tags; what it cannot find, nobody has. Encodings are the platform's, on the way out.
 */
export const answerAsset: StaticHandler = async (segments, request): Promise<StaticAnswer | null> => {
  const { ASSETS } = (request.env ?? {}) as { ASSETS?: Assets }
  // As from a disk: a dotfile is none.
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
  const { method, path, search, asked = path } = request
  const url = `http://assets${path}${search}`
  const ask = (url: string) => ASSETS.fetch(new Request(url, { method, headers, redirect: "manual" }))
  let asset = await ask(url)
  let location = asset.headers.get("location")
  if (location !== null && !endsAlike(path, asked)) {
    // What was rewritten to a file has no address of its own to redirect to.
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

/** Where the binding redirects to, under whatever prefix the app is. Another host is left as it is. */
function relative(location: string, url: string): string {
  const from = new URL(url)
  const to = new URL(location, from)
  return to.host === from.host ? relativeReference(from.pathname, to.pathname) + to.search : location
}

/** The binding for every directory: it knows all of them. @throws FwError `platform` for a directory that is to be read from a disk. */
export const assetFiles: FilesOf = (dir, embed = true) => {
  if (embed) return answerAsset
  throw new FwError(
    "platform",
    `a worker has no disk to read ${JSON.stringify(dir)} from`,
    "Leave out { embed: false }, or keep such files in the platform's object storage.",
  )
}
