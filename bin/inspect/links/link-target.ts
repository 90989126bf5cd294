/** Finds out where a link leads, as far as its text tells. */
import { canonicalizePath, splitSegments } from "../../../lib/path.ts"
import type { Segment } from "../../../lib/pattern.ts"

/** A part of a link's text: a literal, or null for an expression. */
export type Piece = string | null

/** The path to which a link leads. */
export interface LinkTarget {
  /** The decoded segments. An expression at the start of a segment stands for at least one character. */
  readonly segments: readonly (readonly Piece[])[]
  /** True if the path ends with an expression, which may contain more segments, a query or nothing. */
  readonly isOpenEnded: boolean
  /** The path as messages show it, with `{…}` for expressions. */
  readonly text: string
}

/** Matches a text that begins with a scheme or names a host. */
const otherHost = /^(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i

/**
 * Returns the path of a link. Returns null if the link leads elsewhere or its target is not known: another host or
 * scheme, only a query or fragment, an expression at the start, or a path that clients do not send.
 *
 * @param base the pattern of the page that contains the link. Without it, the target of a relative link is not
 * known.
 */
export function toLinkTarget(pieces: readonly Piece[], base?: readonly Segment[]): LinkTarget | null {
  const [first] = pieces
  if (typeof first !== "string") return null
  const start = first.trimStart()
  if (start === "" || otherHost.test(start) || /^[?#]/.test(start)) return null
  const path = removeQuery([start, ...pieces.slice(1)])
  if (start.startsWith("/")) return createTarget(path, [])
  const above = base && toDirectory(base)
  return above ? createTarget(path, above) : null
}

/** Returns a page's own path as the target of a form without an action. */
export function createPageTarget(pattern: readonly Segment[]): LinkTarget | null {
  const segments = pattern.map(toPieces)
  return segments.every((segment) => segment !== null)
    ? { segments: segments.map((piece) => [...piece]), isOpenEnded: false, text: formatSegments(segments) }
    : null
}

/** Removes the query and the fragment. */
function removeQuery(pieces: readonly Piece[]): Piece[] {
  const path: Piece[] = []
  for (const piece of pieces) {
    const end = piece?.search(/[?#]/) ?? -1
    if (piece === null || end < 0) path.push(piece)
    else return end > 0 ? [...path, piece.slice(0, end)] : path
  }
  const last = path.at(-1)
  return typeof last === "string" ? [...path.slice(0, -1), last.trimEnd()] : path
}

function createTarget(whole: readonly Piece[], above: readonly (readonly Piece[])[]): LinkTarget | null {
  const path = cutAtUnknown(whole)
  if (path.every((piece) => piece !== null)) return toLiteralTarget(path.join(""), above)
  const segments = splitPieces(path)
  const isPlain = segments?.every((segment) => {
    return segment.length > 1 || segment[0] === null || !/^\.{0,2}$/.test(segment[0] ?? "")
  })
  if (!segments || !isPlain) return null
  const all = [...above, ...segments]
  return { segments: all, isOpenEnded: path.at(-1) === null, text: formatSegments(all) }
}

/**
 * Cuts a path after the first expression that follows text directly. In `/api${path}`, the expression often begins with a
 * slash, so it may contain any number of segments.
 */
function cutAtUnknown(path: readonly Piece[]): readonly Piece[] {
  const end = path.findIndex((piece, at) => {
    const before = path[at - 1]
    return piece === null && typeof before === "string" && !before.endsWith("/")
  })
  return end < 0 ? path : path.slice(0, end + 1)
}

function toLiteralTarget(path: string, above: readonly (readonly Piece[])[]): LinkTarget | null {
  const relative = path.startsWith("/") ? null : resolvePath(path, above)
  const parts = path.startsWith("/") ? decodePath(path) : relative
  if (!parts) return null
  const segments = parts.map((part): readonly Piece[] => (typeof part === "string" ? [part] : part))
  const end = path.endsWith("/") && segments.length > 0 ? "/" : ""
  return { segments, isOpenEnded: false, text: `${formatSegments(segments)}${end}` }
}

/** Returns the decoded segments of a path; null for a path that no request can have. */
function decodePath(path: string): string[] | null {
  try {
    return splitSegments(canonicalizePath(path))
  } catch {
    return null
  }
}

/** Resolves a relative path, starting in the directory of its page. */
function resolvePath(path: string, above: readonly (readonly Piece[])[]): (string | readonly Piece[])[] | null {
  const segments: (string | readonly Piece[])[] = [...above]
  const parts = path.split("/")
  if (parts.at(-1) === "") parts.pop()
  for (const part of parts) {
    if (part === "..") segments.pop()
    else if (part !== ".") {
      const [decoded, ...more] = decodePath(`/${part}`) ?? []
      if (decoded === undefined || more.length > 0) return null
      segments.push(decoded)
    }
  }
  return segments
}

/** Splits a path with expressions into segments and decodes the text; null if the text cannot be decoded. */
function splitPieces(path: readonly Piece[]): Piece[][] | null {
  const segments: Piece[][] = [[]]
  for (const piece of path) {
    if (piece === null) segments.at(-1)?.push(null)
    for (const [index, part] of (piece?.split("/") ?? []).entries()) {
      if (index > 0) segments.push([])
      const text = decodeText(part)
      if (text === null) return null
      if (text !== "") segments.at(-1)?.push(text)
    }
  }
  const [empty, ...rest] = segments
  const all = empty?.length === 0 ? rest : segments
  const hasFinalSlash = all.at(-1)?.length === 0
  const usedSegments = hasFinalSlash ? all.slice(0, -1) : all
  return usedSegments.some((segment) => segment.length === 0) ? null : usedSegments
}

function decodeText(text: string): string | null {
  if (/[\\\0]/.test(text)) return null
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Returns the segments of the directory of a page; null if it contains a catch-all. */
function toDirectory(pattern: readonly Segment[]): Piece[][] | null {
  const above = pattern.slice(0, -1).map(toPieces)
  return pattern.at(-1)?.kind !== "rest" && above.every((piece) => piece !== null) ? above : null
}

function toPieces(segment: Segment): Piece[] | null {
  if (segment.kind === "static") return [segment.value]
  return segment.kind === "param" ? [null] : null
}

function formatSegments(segments: readonly (readonly Piece[] | null)[]): string {
  return `/${segments.map((pieces) => pieces?.map((piece) => piece ?? "{…}").join("") ?? "*").join("/")}`
}

/** Returns true if a link may lead to a path of a pattern. */
export function mayMatch({ segments, isOpenEnded }: LinkTarget, pattern: readonly Segment[]): boolean {
  const last = segments.length - 1
  for (const [at, pieces] of segments.entries()) {
    const segment = pattern[at]
    if (segment?.kind === "rest") return true
    if (isOpenEnded && at === last) return segment ? matchesSegment(pieces, segment, true) : pieces.length === 1
    if (!segment || !matchesSegment(pieces, segment, false)) return false
  }
  return pattern.length === segments.length
}

/**
 * Returns true if a segment of a link may match a segment of a pattern.
 *
 * @param isOpenEnded true if the last expression may contain more.
 */
function matchesSegment(pieces: readonly Piece[], segment: Segment, isOpenEnded: boolean): boolean {
  if (segment.kind !== "static") return true
  const known = isOpenEnded ? pieces.slice(0, -1) : pieces
  if (known.every((piece) => piece !== null)) {
    const text = known.join("")
    return isOpenEnded ? segment.value.startsWith(text) : segment.value === text
  }
  const source = known.map((piece) => (piece === null ? "[^]+" : piece.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")))
  return new RegExp(`^${source.join("")}${isOpenEnded ? "" : "$"}`).test(segment.value)
}

/** Returns the literal text at the start of a link's path, and whether that is the whole path. */
export function findLiteralStart({ segments }: LinkTarget): {
  readonly path: string
  readonly isWhole: boolean
} {
  let path = ""
  for (const pieces of segments) {
    path += "/"
    for (const piece of pieces) {
      if (piece === null) return { path, isWhole: false }
      path += piece
    }
  }
  return { path: path || "/", isWhole: true }
}
