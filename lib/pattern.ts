/** Parses path patterns in all their spellings, and those that the names of directories stand for. */
import type { FaultOptions } from "./errors/catalogue.ts"
import { fault } from "./errors/fault.ts"
import { encodeSegment } from "./path.ts"

/** One segment of a pattern. `rest` is a final `*`, which matches one or more segments. */
export type Segment =
  | { readonly kind: "static"; readonly value: string }
  | { readonly kind: "param"; readonly name: string }
  | { readonly kind: "rest"; readonly name: string }

/** A parsed pattern. */
export interface Pattern {
  /** The canonical spelling: `/users/{id}/*`. */
  readonly text: string
  readonly segments: readonly Segment[]
  /** The names of the parameters, in order. */
  readonly names: readonly string[]
}

type SegmentName<S extends string> = S extends `{${infer Name}}`
  ? Name
  : S extends `[...${infer Name}]`
    ? Name
    : S extends `[${infer Name}]`
      ? Name
      : S extends `:${infer Name}`
        ? Name
        : S extends "*"
          ? "*"
          : never

/**
 * The names of the parameters in a pattern, as a type: `"id" | "*"` for `"/users/{id}/*"`. It is `string` if the
 * pattern is not known to the compiler.
 *
 * @example const name: ParamNames<"/users/{id}/posts/*"> = "id" // or "*"
 */
export type ParamNames<P extends string> = string extends P
  ? string
  : P extends `${infer Head}/${infer Tail}`
    ? SegmentName<Head> | ParamNames<Tail>
    : SegmentName<P>

/**
 * A static segment that needs neither decoding nor encoding. Most segments are like this, so a program with hundreds of
 * routes starts fast.
 */
const plainSegment = /^[\w~-][\w.~-]*$/

/** A parameter or a catch-all: `{name}`, `:name`, `[name]`, `[...name]` or `*`. */
const parameterForm = /^(?:\{(.*)\}|:(.*)|\[(?:\.\.\.)?([^[\]]*)\]|\*)$/

/** The reason why a segment is not valid. `lib/messages/patterns.ts` has a message for each. */
type PatternProblem =
  | "empty"
  | "name"
  | "end"
  | "twice"
  | "query"
  | "mixed"
  | "encoding"
  | "segment"
  | "optional"
  | "optional_end"
  | "group"

/** Parses one segment. Returns the reason if it is not valid. */
function parseSegment(text: string, isLast: boolean): Segment | PatternProblem {
  if (plainSegment.test(text)) return { kind: "static", value: text }
  const match = parameterForm.exec(text)
  if (match) {
    const name = match[1] ?? match[2] ?? match[3] ?? "*"
    if (!/^(?!__proto__$)(?:[A-Za-z_$][\w$-]*|\*)$/.test(name)) return "name"
    if (text !== "*" && !text.startsWith("[.")) return { kind: "param", name }
    return isLast ? { kind: "rest", name } : "end"
  }
  if (/[?#]/.test(text)) return "query"
  if (/[{}[\]*]/.test(text)) return "mixed"
  try {
    return createStaticSegment(decodeURIComponent(text))
  } catch {
    return "encoding"
  }
}

/**
 * Returns a static segment, unless no canonical path can contain it. `lib/path.ts` resolves dots in paths, and answers
 * the other impossible segments with 400.
 */
function createStaticSegment(value: string): Segment | PatternProblem {
  if (value === "") return "empty"
  return /^\.\.?$|[\0\\\ud800-\udfff]/u.test(value) ? "segment" : { kind: "static", value }
}

/**
 * Formats a static segment. `*` and a leading `:` are encoded, so that the result is parsed as the same segment.
 */
function formatStatic(value: string): string {
  if (plainSegment.test(value)) return value
  return encodeSegment(value).replace(/\*/g, "%2A").replace(/^:/, "%3A")
}

/** Returns the canonical spelling of segments. */
export function formatPattern(segments: readonly Segment[]): string {
  let text = ""
  for (const segment of segments) {
    text += "/"
    if (segment.kind === "static") text += formatStatic(segment.value)
    else text += segment.kind === "param" ? `{${segment.name}}` : "*"
  }
  return text || "/"
}

/**
 * Parses a route pattern. It has static segments, parameters `{name}` (or `:name`, `[name]`), and may end with `*` (or
 * `[...name]`).
 *
 * @throws FwError `pattern` that says what is wrong and how to fix it.
 */
export function parsePattern(text: string): Pattern {
  checkStart(text)
  const parts = text === "/" ? [] : text.replace(/\/$/, "").slice(1).split("/")
  return createPattern(text, parts, parseSegment)
}

function checkStart(text: unknown): void {
  if (typeof text !== "string") throw fault("pattern.kind", [text])
  if (text[0] !== "/") throw fault("pattern.slash", [text])
}

function createPattern(
  text: string,
  parts: readonly string[],
  readSegment: (part: string, last: boolean) => Segment | PatternProblem,
  options?: FaultOptions,
  at = (index: number) => toOffset(parts, index),
): Pattern {
  const names: string[] = []
  const segments: Segment[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string
    let segment = readSegment(part, i === parts.length - 1)
    if (typeof segment !== "string" && segment.kind !== "static") {
      if (names.includes(segment.name)) segment = "twice"
      else names.push(segment.name)
    }
    if (typeof segment === "string") throw fault(`pattern.${segment}`, [text, part, at(i)], options)
    segments.push(segment)
  }
  return { text: formatPattern(segments), segments, names }
}

/** Returns the index at which a segment begins in the path that consists of these segments. */
function toOffset(parts: readonly string[], index: number): number {
  return parts.slice(0, index).reduce((at, part) => at + part.length + 1, 1)
}

/**
 * Returns the index of the first segment at which a path differs from a pattern; -1 if the path matches. Here, a final
 * `*` also matches no segments at all.
 */
export function findMismatch(segments: readonly Segment[], parts: readonly string[]): number {
  const hasRest = segments.at(-1)?.kind === "rest"
  const fixedLength = hasRest ? segments.length - 1 : segments.length
  for (let i = 0; i < fixedLength; i++) {
    const segment = segments[i] as Segment
    if (i >= parts.length || (segment.kind === "static" && segment.value !== parts[i])) return i
  }
  return hasRest || parts.length === fixedLength ? -1 : fixedLength
}

/**
 * Joins a prefix and a pattern: `/api/v1` and `/users` become `/api/v1/users`. The first slash of the pattern may be
 * omitted. `""` and `/` stand for the prefix itself.
 *
 * @throws FwError `pattern` for a value that is not text, and for a prefix that does not begin with a slash.
 */
export function joinPatterns(prefix: string, pattern: string): string {
  if (prefix !== "") checkStart(prefix)
  if (typeof pattern !== "string") throw fault("pattern.kind", [pattern])
  const base = prefix.replace(/\/$/, "")
  return pattern === "" || pattern === "/" ? base || "/" : base + (pattern[0] === "/" ? "" : "/") + pattern
}

/**
 * Returns a pattern without the names of its parameters: `/users/{}/*`. Two patterns that match the same paths have the
 * same shape.
 */
export function getPatternShape(pattern: Pattern): string {
  return formatPattern(pattern.segments.map((s) => (s.kind === "param" ? { kind: "param", name: "" } : s)))
}

/**
 * Returns true if a directory of the route tree is a group, such as `(admin)`. A group adds no segment to the URL.
 */
export function isGroupName(directory: string): boolean {
  return /^\([\s\S]+\)$/.test(directory)
}

/**
 * Returns the patterns of a directory of the route tree, by the names of the directories from the top. A final
 * `[[...name]]` gives two patterns, without and with the rest. All others give one.
 *
 * @param options options of the error, such as its position.
 * @throws FwError `pattern` for a name that has none of the five forms.
 */
export function parseDirectoryPatterns(names: readonly string[], options?: FaultOptions): Pattern[] {
  const offsets = names.flatMap((name, index) => (isGroupName(name) ? [] : [toOffset(names, index)]))
  const parts = names.filter((part) => !isGroupName(part))
  const createDirectoryPattern = (segmentTexts: readonly string[]) =>
    createPattern(`/${names.join("/")}`, segmentTexts, parseDirectory, options, (index) => offsets[index] as number)
  const optional = /^\[\[\.\.\.(.*)\]\]$/.exec(parts.at(-1) ?? "")
  if (!optional) return [createDirectoryPattern(parts)]
  return [
    createDirectoryPattern(parts.slice(0, -1)),
    createDirectoryPattern([...parts.slice(0, -1), `[...${optional[1]}]`]),
  ]
}

function parseDirectory(part: string, isLast: boolean): Segment | PatternProblem {
  if (part.startsWith("[[...")) return "optional_end"
  if (part.startsWith("[[")) return "optional"
  if (part.startsWith("(")) return "group"
  if (/[[\]{}*]|^:/.test(part)) return parseSegment(part, isLast)
  // Some file systems return decomposed names (NFD), but browsers send composed text.
  return createStaticSegment(part.normalize("NFC"))
}
