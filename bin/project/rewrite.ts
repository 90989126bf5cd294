/**
 * Changes the source of modules before they are bundled. No line moves, and the result has a source map with the
 * position of every word, so stacks and messages show the positions in the original file.
 */
import { readFile } from "node:fs/promises"
import { basename, extname } from "node:path"
import type { Loader, Plugin } from "esbuild"
import { decodeMappings, encodeMappings, type Segment, type SourceMap, toInlineMap } from "../../template/sourcemap.ts"

/** A replacement in a source text. Neither the old nor the new text contains a line break. */
export interface Edit {
  /** Offset in the source text. */
  readonly at: number
  /** The number of characters to replace. */
  readonly length: number
  readonly text: string
}

/** A changed module. */
export interface Rewrite {
  readonly edits: readonly Edit[]
  /** Statements to add after the last line. */
  readonly end?: string
}

/**
 * Returns an esbuild plugin that changes some files before they are bundled. It handles only these files, because
 * calling a plugin for every file would take longer than the build itself.
 *
 * @param files absolute paths.
 */
export function rewriteSources(files: readonly string[], change: (text: string, path: string) => Rewrite): Plugin {
  const filter = new RegExp(`^(?:${[...new Set(files)].map(escapePattern).join("|")})$`)
  return {
    name: "fw-rewrite",
    setup(build) {
      build.onLoad({ filter, namespace: "file" }, async ({ path }) => {
        const text = (await readFile(path, "utf8")).replace(/^\uFEFF/, "")
        return { contents: applyRewrite(text, path, change(text, path)), loader: chooseLoader(path) }
      })
    },
  }
}

function chooseLoader(path: string): Loader {
  return extname(path).replace(/^\.[cm]?/, "") as Loader
}

function escapePattern(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
}

/**
 * Returns the changed text with its source map.
 *
 * @param path the path of the file, for the source map.
 */
export function applyRewrite(text: string, path: string, { edits, end = "" }: Rewrite): string {
  const sortedEdits = [...edits].sort((a, b) => a.at - b.at)
  const { before, map } = splitMap(text, path)
  let code = ""
  let copiedLength = 0
  for (const { at, length, text: replacement } of sortedEdits) {
    code += before.slice(copiedLength, at) + replacement
    copiedLength = at + length
  }
  code += before.slice(copiedLength)
  const segments = moveSegments(listSegments(before, map), sortedEdits, findLineStarts(before))
  const fileMap = map ?? {
    version: 3,
    file: basename(path),
    sources: [basename(path)],
    sourcesContent: [text],
    names: [],
  }
  return `${code}\n${end}\n${toInlineMap({ ...fileMap, mappings: encodeMappings(segments) } as SourceMap)}`
}

/** Matches a source map at the end of a text. Compiled templates have one. */
const inlineMapPattern = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/

/** Separates a text from the source map in it. */
function splitMap(text: string, path: string): { before: string; map: SourceMap | null } {
  const match = path.endsWith(".tpl.ts") ? inlineMapPattern.exec(text) : null
  if (!match) return { before: text, map: null }
  const map = JSON.parse(Buffer.from(match[1] as string, "base64").toString("utf8")) as SourceMap
  return { before: text.slice(0, match.index), map }
}

/** Returns the source map in a compiled template; null for any other file. */
export function readInlineMap(text: string, path: string): SourceMap | null {
  return splitMap(text, path).map
}

/** Matches every word and mark, because esbuild keeps the positions of their first characters. */
const wordPattern = /[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+|\S/gu

function listSegments(text: string, map: SourceMap | null): Segment[] {
  if (map) return decodeMappings(map.mappings).flat()
  return splitLines(text).flatMap((content, line) =>
    [...content.matchAll(wordPattern)].map(({ index }) => {
      return { line, column: index, sourceLine: line, sourceColumn: index }
    }),
  )
}

/** Matches the line breaks of JavaScript (ECMA-262 §12.3), which esbuild uses too. */
const lineBreak = /\r\n|[\n\r\u2028\u2029]/g

function splitLines(text: string): string[] {
  return text.split(lineBreak)
}

function findLineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(lineBreak)].map(({ 0: mark, index }) => index + mark.length)]
}

/**
 * Returns the positions of segments after some edits, in order. Segments inside a replaced text move to its
 * beginning.
 */
function moveSegments(segments: readonly Segment[], edits: readonly Edit[], starts: readonly number[]): Segment[] {
  return segments.map((segment) => {
    const start = starts[segment.line] ?? 0
    const offset = start + segment.column
    let shift = 0
    for (const { at, length, text } of edits) {
      if (at < start || at > offset) continue
      // The start of a replaced text does not move.
      if (length > 0 && at === offset) continue
      shift += offset < at + length ? at - offset : text.length - length
    }
    return shift === 0 ? segment : { ...segment, column: segment.column + shift }
  })
}
