/** The one canonical path: every spelling of a request's path becomes one string here, and nowhere else decodes. Called once a request. */
import { badRequest } from "./errors.ts"

/** A path of nothing but RFC 3986 `pchar` and slashes, with no segment that starts with a dot, is canonical already. */
const plain = /^(?:\/(?:[\w\-~!$&'()*+,;=:@][\w\-.~!$&'()*+,;=:@]*)?)+$/

/** What `encodeURIComponent` escapes though RFC 3986 §3.3 allows it in a segment. */
const overEscaped = /%(?:3A|40|24|26|2B|2C|3B|3D)/g

/** A decoded segment in the one spelling that `c.path` uses. */
export function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(overEscaped, decodeURIComponent)
}

/**
 * Brings a raw path (no query, no fragment) into its canonical spelling: dots resolved as WHATWG URL does, each
 * segment decoded once and encoded again. Doubled and trailing slashes stay, for the router to judge.
 *
 * @throws HttpError 400 for malformed percent-encoding, `%00`, `%5C` and a raw backslash, which URL would read as a slash.
 */
export function canonicalPath(raw: string): string {
  if (plain.test(raw)) return raw
  if (raw.includes("\\")) throw badRequest("the path holds a backslash")
  const resolved = new URL(`http://host${raw.startsWith("/") ? raw : `/${raw}`}`).pathname
  return resolved.split("/").map(recode).join("/")
}

function recode(segment: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    throw badRequest("the path is not valid percent-encoded UTF-8")
  }
  const [refused] = /[\0\\]/.exec(decoded) ?? []
  if (refused) throw badRequest(`the path holds ${refused === "\0" ? "%00" : "a backslash"}`)
  return encodeSegment(decoded)
}

/**
 * The decoded segments of a canonical path. One trailing slash is no segment; null when a segment is empty,
 * because `//` matches nothing.
 */
export function segmentsOf(path: string): string[] | null {
  const segments: string[] = []
  const end = path.endsWith("/") ? path.length - 1 : path.length
  // A loop, not split(): this runs once a request, and is several times as fast on the few short segments of a path.
  for (let start = 1; start <= end; ) {
    const slash = path.indexOf("/", start)
    const stop = slash < 0 ? end : slash
    if (stop === start) return null
    segments.push(path.slice(start, stop))
    start = stop + 1
  }
  // After the loop: asked before it, V8 moves the search for "%" into the loop, which makes long paths quadratic.
  return path.includes("%") ? segments.map(decodeURIComponent) : segments
}

/** Path and query behind the scheme and authority of an absolute URL, or from the start. A backslash ends an authority too, as it does for WHATWG URL. */
const target = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?/i

/** Splits a URL or a request target into its raw path and its query with the `?`, without decoding either. */
export function splitTarget(text: string): { path: string; search: string } {
  const [, path, search = ""] = target.exec(text) as RegExpExecArray
  return { path: path || "/", search }
}

/**
 * A reference from one path to another that is right under every prefix (RFC 9110 §10.2.2): only the client knows what
 * stands before an app's paths. From `/users/` to `/users` it is `../users`.
 */
export function relativeReference(from: string, to: string): string {
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

/** The last segment of a path with the slash before it and, where there is one, behind it. */
export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/", path.length - 2))
}

/** Whether a path ends as the one that the client asked for: a reference from one is right for the other. */
export function endsAlike(path: string, asked: string): boolean {
  return asked.endsWith(lastOf(path))
}
