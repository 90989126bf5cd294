/**
 * The canonical path: all spellings of a request's path become one string here, and paths are decoded only
 * here.
 */
import { badRequest } from "./errors.ts"

/** A path of RFC 3986 `pchar` and slashes, without a segment that starts with a dot, is canonical already. */
const plainPath = /^(?:\/(?:[\w\-~!$&'()*+,;=:@][\w\-.~!$&'()*+,;=:@]*)?)+$/

/** Escapes of `encodeURIComponent` for characters that RFC 3986 §3.3 allows in a segment. */
const overEscapedCharacter = /%(?:3A|40|24|26|2B|2C|3B|3D)/g

/** Encodes a segment in the spelling that `c.path` uses. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(overEscapedCharacter, decodeURIComponent)
}

/** Encodes each segment of a path, whose slashes separate them. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/")
}

/**
 * Converts a raw path (without query and fragment) to its canonical spelling: dots are resolved like in a
 * WHATWG URL, and each segment is decoded once and encoded again. Doubled and trailing slashes stay; the
 * router handles them.
 *
 * @throws HttpError 400 for malformed percent-encoding, `%00`, `%5C` and a raw backslash, which URL would
 * read as a slash.
 */
export function canonicalPath(raw: string): string {
  if (plainPath.test(raw)) return raw
  if (raw.includes("\\")) throw badRequest("the path holds a backslash")
  const resolved = new URL(`http://host${raw.startsWith("/") ? raw : `/${raw}`}`).pathname
  return resolved.split("/").map(recodeSegment).join("/")
}

function recodeSegment(segment: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    throw badRequest("the path is not valid percent-encoded UTF-8")
  }
  const [refusedCharacter] = /[\0\\]/.exec(decoded) ?? []
  if (refusedCharacter) throw badRequest(`the path holds ${refusedCharacter === "\0" ? "%00" : "a backslash"}`)
  return encodeSegment(decoded)
}

/**
 * Returns the decoded segments of a canonical path. A trailing slash is ignored; null if a segment is empty,
 * because `//` matches nothing.
 */
export function splitSegments(path: string): string[] | null {
  const segments: string[] = []
  const end = path.endsWith("/") ? path.length - 1 : path.length
  // A loop, not split(): this runs once per request, and is several times as fast for the few short segments
  // of a path.
  for (let start = 1; start <= end; ) {
    const slash = path.indexOf("/", start)
    const stop = slash < 0 ? end : slash
    if (stop === start) return null
    segments.push(path.slice(start, stop))
    start = stop + 1
  }
  // After the loop: before it, V8 would move the search for "%" into the loop, which makes long paths
  // quadratic.
  return path.includes("%") ? segments.map(decodeURIComponent) : segments
}

/**
 * Path and query after the scheme and authority of an absolute URL, or from the start. A backslash also ends
 * an authority, as in a WHATWG URL.
 */
const targetPattern = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?/i

/** Splits a URL or a request target into its raw path and its query with the `?`, without decoding. */
export function splitTarget(text: string): { path: string; search: string } {
  const [, path, search = ""] = targetPattern.exec(text) as RegExpExecArray
  return { path: path || "/", search }
}

/**
 * Returns a reference from one path to another that is right under every prefix (RFC 9110 §10.2.2), because only the
 * client knows the prefix of the app. From `/users/` to `/users` it is `../users`.
 */
export function createRelativeReference(from: string, to: string): string {
  let base = from.slice(0, from.lastIndexOf("/") + 1)
  let up = ""
  while (!to.startsWith(base)) {
    base = base.slice(0, base.lastIndexOf("/", base.length - 2) + 1)
    up += "../"
  }
  const rest = to.slice(base.length)
  // RFC 3986 §4.2: a colon in the first segment would end a scheme.
  return up === "" && /^(?:[^/]*:|$)/.test(rest) ? `./${rest}` : up + rest
}

/** Returns the last segment of a path with the slash before it and, if there is one, after it. */
export function getLastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/", path.length - 2))
}

/**
 * Returns true if a path ends like the one that the client requested, so that a relative reference from one is also
 * right from the other.
 */
export function hasSameEnd(path: string, originalPath: string): boolean {
  return originalPath.endsWith(getLastSegment(path))
}
