/** The exports of `fw/links`. The generated `.fw/links.ts` and `.fw/assets.ts` make `link()` and `asset()` of them. */
import type { AssetManifest } from "./assets.ts"
import { linkMessages } from "./messages/links.ts"
import type { Message } from "./messages/message.ts"
import { encodeSegment } from "./path.ts"

export type { Asset, AssetFile, AssetManifest } from "./assets.ts"

/**
 * The value of a parameter in a link. It becomes one segment of the path, and is percent-encoded.
 *
 * @example const id: LinkValue = 7
 */
export type LinkValue = string | number | bigint

/**
 * The value of a catch-all in a link. In a string, slashes separate segments, and `%2F` is a slash inside a segment, as
 * in the result of `c.param()`. In a list, each item is one segment, whatever it contains.
 *
 * @example const path: LinkRest = ["guides", "a/b"] // guides/a%2Fb
 */
export type LinkRest = LinkValue | readonly LinkValue[]

/**
 * A value in the query of a link. For a list, the name is repeated. Null and undefined are left out.
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

/** A parameter: `{name}`, or the final `*`. A canonical pattern encodes all other braces and asterisks. */
const parameterPattern = /\{([^{}]+)\}|\*$/g
/**
 * A half of a surrogate pair. It has no encoding in UTF-8, so a query gets U+FFFD in its place, as URLSearchParams
 * does.
 */
const loneSurrogate = /[\ud800-\udfff]/gu
const forbiddenCharacter = /[\0\\\ud800-\udfff]/u

/**
 * Returns the path of a link: a pattern with values in place of its parameters. Projects call `link()` of
 * `.fw/links.ts`, which has types for the application's patterns and calls this function.
 *
 * @param pattern the pattern as `fw routes` lists it.
 * @param args the values, if the pattern has parameters; then the options.
 * @param rest the name that the values use for the final `*`. Default: `*`.
 * @throws TypeError for a value that is missing or empty, for `.` and `..`, which browsers would resolve, and for
 * characters that a path cannot contain.
 * @example
 * buildLink("/users/{id}", [{ id: "a b" }, { query: { tab: "posts" } }]) // → "/users/a%20b?tab=posts"
 */
export function buildLink(pattern: string, args: readonly unknown[], rest = "*"): string {
  const hasValues = pattern.includes("{") || pattern.endsWith("*")
  const [values, options] = hasValues ? args : [undefined, args[0]]
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
 * Returns the function `asset()` of `.fw/assets.ts`, which finds the URL of a file. Under `fw dev` static files keep
 * their paths, without hashes.
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
    const url = Object.hasOwn(files, path) ? files[path]?.url : undefined
    if (url !== undefined) return url
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
  return new TypeError((linkMessages[name] as (...args: readonly unknown[]) => Message)(...facts)[0])
}
