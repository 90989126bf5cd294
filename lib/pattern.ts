/** Path patterns: their three spellings, their types, and the patterns of directories. */
import type { FaultOptions } from "./errors/catalogue.ts"
import { fault } from "./errors/fault.ts"
import { encodeSegment } from "./path.ts"

/** One segment of a pattern. `rest` is the final `*`, which matches one or more segments. */
export type Segment =
  | { readonly kind: "static"; readonly value: string }
  | { readonly kind: "param"; readonly name: string }
  | { readonly kind: "rest"; readonly name: string }

/** A parsed pattern. */
export interface Pattern {
  /** The canonical spelling: `/users/{id}/*`. */
  readonly text: string
  readonly segments: readonly Segment[]
  /** Parameter names in order. */
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
 * The parameter names in a pattern's type: `"id" | "*"` for `"/users/{id}/*"`, and `string` for a plain
 * `string`.
 *
 * @example const name: ParamNames<"/users/{id}/posts/*"> = "id" // or "*"
 */
export type ParamNames<P extends string> = string extends P
  ? string
  : P extends `${infer Head}/${infer Tail}`
    ? SegmentName<Head> | ParamNames<Tail>
    : SegmentName<P>

/**
 * A static segment that is the same in every spelling. Most are, so starting with hundreds of routes is fast.
 */
const plainSegment = /^[\w~-][\w.~-]*$/

/** A parameter or a catch-all: `{name}`, `:name`, `[name]`, `[...name]` or `*`. */
const parameterForm = /^(?:\{(.*)\}|:(.*)|\[(?:\.\.\.)?([^[\]]*)\]|\*)$/

/** Why a segment is not valid. `lib/messages/patterns.ts` has a message for each. */
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

/** Parses one segment in any of its spellings, or returns the reason why it is not valid. */
function parseSegment(text: string, isLast: boolean): Segment | PatternProblem {
  if (plainSegment.test(text)) return { kind: "static", value: text }
  const found = parameterForm.exec(text)
  if (found) {
    const name = found[1] ?? found[2] ?? found[3] ?? "*"
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
 * Returns a static segment, if a canonical path can contain it: `lib/path.ts` resolves dots and answers 400
 * to the others.
 */
function createStaticSegment(value: string): Segment | PatternProblem {
  if (value === "") return "empty"
  return /^\.\.?$|[\0\\\ud800-\udfff]/u.test(value) ? "segment" : { kind: "static", value }
}

/**
 * Formats the text of a static segment, with `*` and a leading `:` encoded, so that parsing it gives the same
 * segment.
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
 * Parses a route pattern: static segments, `{name}` (also `:name`, `[name]`) and a final `*` (also
 * `[...name]`).
 *
 * @throws FwError `pattern` with the mistake and the fix.
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
  read: (part: string, last: boolean) => Segment | PatternProblem,
  options?: FaultOptions,
  at = (index: number) => toOffset(parts, index),
): Pattern {
  const names: string[] = []
  const segments: Segment[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string
    let found = read(part, i === parts.length - 1)
    if (typeof found !== "string" && found.kind !== "static") {
      if (names.includes(found.name)) found = "twice"
      else names.push(found.name)
    }
    if (typeof found === "string") throw fault(`pattern.${found}`, [text, part, at(i)], options)
    segments.push(found)
  }
  return { text: formatPattern(segments), segments, names }
}

/** Returns the index at which a part begins in a path of these parts. */
function toOffset(parts: readonly string[], index: number): number {
  return parts.slice(0, index).reduce((at, part) => at + part.length + 1, 1)
}

/**
 * Returns the index of the first segment at which a path differs from a pattern; -1 if it matches. A final
 * `*` matches any number of segments here, also none.
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
 * Joins a prefix and a pattern: `/api/v1` and `/users` become `/api/v1/users`. The pattern's first slash may
 * be omitted; `""` and `/` are the prefix itself.
 *
 * @throws FwError `pattern` for a value that is not a text, and for a prefix without a slash.
 */
export function joinPatterns(prefix: string, pattern: string): string {
  if (prefix !== "") checkStart(prefix)
  if (typeof pattern !== "string") throw fault("pattern.kind", [pattern])
  const left = prefix.replace(/\/$/, "")
  return pattern === "" || pattern === "/" ? left || "/" : left + (pattern[0] === "/" ? "" : "/") + pattern
}

/**
 * Returns a pattern without parameter names, so that two that match the same paths are equal: `/users/{}/*`.
 */
export function getPatternShape(pattern: Pattern): string {
  return formatPattern(pattern.segments.map((s) => (s.kind === "param" ? { kind: "param", name: "" } : s)))
}

/**
 * Returns true if a directory of the route tree is a group, such as `(admin)`, which adds nothing to the URL.
 */
export function isGroupName(directory: string): boolean {
  return /^\([\s\S]+\)$/.test(directory)
}

/**
 * The patterns of a directory below the route directory, given its names from the top: two patterns for a final
 * `[[...name]]`, without and with it, otherwise one.
 *
 * @param options of the error, such as its place.
 * @throws FwError `pattern` for a name that is not one of the five forms.
 */
export function parseDirectoryPatterns(names: readonly string[], options?: FaultOptions): Pattern[] {
  const offsets = names.flatMap((name, index) => (isGroupName(name) ? [] : [toOffset(names, index)]))
  const parts = names.filter((part) => !isGroupName(part))
  const createDirectoryPattern = (given: readonly string[]) =>
    createPattern(`/${names.join("/")}`, given, parseDirectory, options, (index) => offsets[index] as number)
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
  // Some file systems return decomposed names (NFD); browsers send composed text.
  return createStaticSegment(part.normalize("NFC"))
}
