/** Static files out of a worker's asset binding, `env.ASSETS`. Called through the workers platform. */
import type { StaticAnswer, StaticHandler } from "../lib/static.ts"

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
  const asset = await ASSETS.fetch(
    new Request(`http://assets${request.path}${request.search}`, {
      method: request.method,
      headers,
      redirect: "manual",
    }),
  )
  if (!told.has(asset.status)) {
    await asset.body?.cancel()
    return null
  }
  return {
    status: asset.status,
    headers: Object.fromEntries(asset.headers),
    body: asset.body as StaticAnswer["body"],
  }
}
