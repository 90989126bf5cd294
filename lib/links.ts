/** The functions behind `link()` of `.fw/links.ts` and `asset()` of `.fw/assets.ts`, exported as `fw/links`. */
import type { AssetManifest } from "./assets.ts"
import { linkMessages } from "./messages/links.ts"
import type { Message } from "./messages/message.ts"
import { encodeSegment } from "./path.ts"

export type { Asset, AssetFile, AssetManifest } from "./assets.ts"

/**
 * The value of a parameter in a link. It is one segment of the path, and percent-encoded.
 *
 * @example const id: LinkValue = 7
 */
export type LinkValue = string | number | bigint

/**
 * The value of a catch-all in a link. The slashes of a string separate segments, and `%2F` in it is a slash inside of a
 * segment, as in the value that `c.param()` returns. An item of a list is one segment, whatever it contains.
 *
 * @example const path: LinkRest = ["guides", "a/b"] // guides/a%2Fb
 */
export type LinkRest = LinkValue | readonly LinkValue[]

/**
 * A value in the query of a link. A list is the same name several times; null and undefined are left out.
 *
 * @example const tags: LinkQueryValue = ["red", "blue"]
 */
export type LinkQueryValue = LinkValue | boolean | null | undefined | readonly (LinkValue | boolean)[]

/**
 * The query and the hash of a link.
 *
 * @example const options: LinkOptions = { query: { q: "tea", page: 2 }, hash: "results" } // ?q=tea&page=2#results
 */
export interface LinkOptions {
  /** Names and values, or a `URLSearchParams`. */
  readonly query?: Readonly<Record<string, LinkQueryValue>> | URLSearchParams | undefined
  /** The part after `#`, without it: the `id` of an element. */
  readonly hash?: string | undefined
}

/** `{name}`, or the final `*`. In a canonical pattern, other braces and asterisks are encoded. */
const parameterPattern = /\{([^{}]+)\}|\*$/g
/** Halves of surrogate pairs, which UTF-8 cannot encode. In a query, URLSearchParams replaces them in the same way. */
const loneSurrogate = /[\ud800-\udfff]/gu
const forbiddenCharacter = /[\0\\\ud800-\udfff]/u

/**
 * Returns the path of a pattern with its values. Projects call `link()` of `.fw/links.ts`, whose types know the
 * application's patterns, and which calls this.
 *
 * @param pattern in its canonical spelling, as `fw routes` lists it.
 * @param given the values, if the pattern has parameters, then the options.
 * @param rest the name of the final `*` in the values. Default: `*`.
 * @throws TypeError for a value that is missing or empty, for `.` and `..`, which clients resolve, and for characters
 * that no path may contain.
 * @example
 * buildLink("/users/{id}", [{ id: "a b" }, { query: { tab: "posts" } }]) // → "/users/a%20b?tab=posts"
 */
export function buildLink(pattern: string, given: readonly unknown[], rest = "*"): string {
  const hasValues = pattern.includes("{") || pattern.endsWith("*")
  const [values, options] = hasValues ? given : [undefined, given[0]]
  const path = pattern.replace(parameterPattern, (_, name: string | undefined) => {
    const key = name ?? rest
    const value = (values as Readonly<Record<string, unknown>> | undefined)?.[key]
    if (value === undefined || value === null) throw createLinkError("link.missing", pattern, key)
    return name === undefined ? toRest(value, pattern, key) : toSegment(value, pattern, key)
  })
  const { query, hash = "" } = (options ?? {}) as LinkOptions
  const search = query ? formatQuery(query) : ""
  return `${path}${search && `?${search}`}${hash && `#${encodeURIComponent(hash.replace(loneSurrogate, "\ufffd"))}`}`
}

/**
 * Returns the function that finds the URL of a file, which is `asset()` of `.fw/assets.ts`. Static files have no hashes under
 * `fw dev`, where they keep their paths.
 *
 * @example
 * const asset = createAssetFinder({
 *   isHashed: true,
 *   files: { "/static/logo.svg": { url: "/static/logo-1F0C9A2B.svg" } },
 * })
 * asset("/static/logo.svg") // → "/static/logo-1F0C9A2B.svg"
 */
export function createAssetFinder({ files, isHashed }: AssetManifest): (path: string) => string {
  return (path) => {
    const found = Object.hasOwn(files, path) ? files[path]?.url : undefined
    if (found !== undefined) return found
    if (isHashed || path.startsWith("/assets/")) throw createLinkError("link.asset", path)
    return path
  }
}

function toRest(value: unknown, pattern: string, name: string): string {
  const segments = Array.isArray(value) ? value : typeof value === "string" ? splitSegments(value) : [value]
  if (segments.length === 0) throw createLinkError("link.empty", pattern, name)
  return segments.map((segment: unknown) => toSegment(segment, pattern, name)).join("/")
}

function splitSegments(path: string): string[] {
  return path.split("/").map((segment) => segment.replaceAll("%2F", "/"))
}

function toSegment(value: unknown, pattern: string, name: string): string {
  if (!["string", "number", "bigint"].includes(typeof value)) throw createLinkError("link.type", pattern, name, value)
  const text = String(value)
  if (text === "") throw createLinkError("link.empty", pattern, name)
  if (text === "." || text === "..") throw createLinkError("link.dots", pattern, name, text)
  if (forbiddenCharacter.test(text)) throw createLinkError("link.character", pattern, name)
  return encodeSegment(text)
}

function formatQuery(query: NonNullable<LinkOptions["query"]>): string {
  if (query instanceof URLSearchParams) return query.toString()
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined) search.append(name, String(one))
  }
  return search.toString()
}

function createLinkError<Name extends keyof typeof linkMessages>(
  name: Name,
  ...facts: Parameters<(typeof linkMessages)[Name]>
): TypeError {
  return new TypeError((linkMessages[name] as (...given: readonly unknown[]) => Message)(...facts)[0])
}
