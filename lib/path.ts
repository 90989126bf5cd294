/**
 * Makes the canonical path: every spelling of a request's path becomes the same text. No other module decodes paths.
 */
import { badRequest } from "./errors.ts"

/**
 * A path that is canonical already: it has only `pchar` (RFC 3986) and slashes, no percent signs, and no segment that
 * begins with a dot.
 */
const plainPath = /^(?:\/(?:[\w\-~!$&'()*+,;=:@][\w\-.~!$&'()*+,;=:@]*)?)+$/

/** Escapes that `encodeURIComponent` produces for characters which RFC 3986 §3.3 allows in a segment. */
const overEscapedCharacter = /%(?:3A|40|24|26|2B|2C|3B|3D)/g

/** Encodes a segment as `c.path` spells it. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(overEscapedCharacter, decodeURIComponent)
}

/** Encodes each segment of a path. Slashes separate the segments. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/")
}

/**
 * Converts a raw path, without query and fragment, to its canonical spelling. Dots are resolved as in a WHATWG URL, and
 * each segment is decoded once and encoded again. Doubled and trailing slashes stay, because the router decides about
 * them.
 *
 * @throws HttpError 400 for malformed percent-encoding, for `%00` and `%5C`, and for a raw backslash, which the class
 * URL would read as a slash.
 */
export function canonicalizePath(raw: string): string {
  if (plainPath.test(raw)) return raw
  if (raw.includes("\\")) throw badRequest("the path holds a backslash")
  const resolvedPath = new URL(`http://host${raw.startsWith("/") ? raw : `/${raw}`}`).pathname
  return resolvedPath.split("/").map(recodeSegment).join("/")
}

function recodeSegment(segment: string): string {
  let decodedSegment: string
  try {
    decodedSegment = decodeURIComponent(segment)
  } catch {
    throw badRequest("the path is not valid percent-encoded UTF-8")
  }
  const [refusedCharacter] = /[\0\\]/.exec(decodedSegment) ?? []
  if (refusedCharacter) throw badRequest(`the path holds ${refusedCharacter === "\0" ? "%00" : "a backslash"}`)
  return encodeSegment(decodedSegment)
}

/**
 * Returns the decoded segments of a canonical path. A trailing slash is ignored. Returns null if a segment is empty,
 * because no pattern matches `//`.
 */
export function splitSegments(path: string): string[] | null {
  const segments: string[] = []
  const end = path.endsWith("/") ? path.length - 1 : path.length
  // A loop instead of split(), because this runs for every request. For a few short segments it is several times as
  // fast.
  for (let start = 1; start <= end; ) {
    const slash = path.indexOf("/", start)
    const stop = slash < 0 ? end : slash
    if (stop === start) return null
    segments.push(path.slice(start, stop))
    start = stop + 1
  }
  // This check must stay after the loop. If it came first, V8 would move the search for "%" into the loop, which then
  // takes quadratic time for long paths.
  return path.includes("%") ? segments.map(decodeURIComponent) : segments
}

/**
 * The path and the query of a URL or of a request target. An absolute URL begins with a scheme and an authority. A
 * backslash ends the authority too, as in a WHATWG URL.
 */
const targetPattern = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?/i

/** Splits a URL or a request target into its raw path and its query with the `?`, without decoding. */
export function splitTarget(text: string): { path: string; search: string } {
  const [, path, search = ""] = targetPattern.exec(text) as RegExpExecArray
  return { path: path || "/", search }
}

/**
 * Returns a relative reference from one path to another (RFC 9110 §10.2.2). It is valid below any prefix; only the
 * client knows the prefix of a mounted app. From `/users/` to `/users` it is `../users`.
 */
export function createRelativeReference(from: string, to: string): string {
  let base = from.slice(0, from.lastIndexOf("/") + 1)
  let up = ""
  while (!to.startsWith(base)) {
    base = base.slice(0, base.lastIndexOf("/", base.length - 2) + 1)
    up += "../"
  }
  const rest = to.slice(base.length)
  // RFC 3986 §4.2: with a colon in the first segment, the text before it would be read as a scheme.
  return up === "" && /^(?:[^/]*:|$)/.test(rest) ? `./${rest}` : up + rest
}

/** Returns the last segment of a path, with the slash before it and the slash after it, if there is one. */
export function getLastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/", path.length - 2))
}

/**
 * Returns true if a path ends like the path that the client requested. Then the same relative references are correct
 * for both.
 */
export function hasSameEnd(path: string, originalPath: string): boolean {
  return originalPath.endsWith(getLastSegment(path))
}
