/**
 * The compiler, which turns the text of a .tpl file into TypeScript, a source map and diagnostics. It has no other
 * effects, so the command, tests and editors can all call it.
 */

import { findLineStarts, locate } from "../lib/scan/position.ts"
import type { Language } from "./check/elements.ts"
import { findNestingProblems } from "./check/nesting.ts"
import { type Diagnostic, toDiagnostic } from "./diagnostic.ts"
import { emitModule } from "./emit/emit-module.ts"
import type { Copy } from "./emit/writer.ts"
import { parseModule } from "./module.ts"
import { encodeMappings, type SourceMap, toInlineMap } from "./sourcemap.ts"

/**
 * A template of a file.
 *
 * @example const place = ({ name, line, column }: TemplateInfo) => `${name} at ${line}:${column}`
 */
export interface TemplateInfo {
  readonly name: string
  /** The position of its name. Line and column are counted from 1. */
  readonly line: number
  readonly column: number
  /** True if the template returns a promise. */
  readonly async: boolean
  /** True if its last parameter is the markup of the caller. */
  readonly children: boolean
}

/**
 * The result of compiling a `.tpl` file.
 *
 * @example const { code, diagnostics }: Compiled = compile("template Page() {\n  <h1>Hello</h1>\n}\n", "page.tpl")
 */
export interface Compiled {
  /** The name of the file, as it was passed. */
  readonly file: string
  /** The text of the file. */
  readonly source: string
  /**
   * TypeScript, with the source map in a comment. If there are diagnostics, the code is only for editors and must not
   * run. It then contains every template that has no error. Of the others it has the signature, and the expressions
   * before the error.
   */
  readonly code: string
  readonly map: SourceMap
  /** The ranges of the source that are copied to the code unchanged, in the order of the code. */
  readonly copies: readonly Copy[]
  readonly templates: readonly TemplateInfo[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Returns the language that the templates of a file produce. */
export function findLanguage(file: string): Language {
  return file.endsWith(".xml.tpl") ? "xml" : "html"
}

/** Returns the name of a file without its directories. */
export function getBaseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1)
}

/**
 * Returns the path of the TypeScript file for a `.tpl` file, which is next to it: `page.tpl.ts`.
 *
 * @example outputPath("app/page.tpl") // → "app/page.tpl.ts"
 */
export function outputPath(file: string): string {
  return `${file}.ts`
}

/**
 * Compiles a `.tpl` file. The templates of an `.xml.tpl` file produce XML. The same text and name always give the same
 * result. Errors are returned as diagnostics, and never thrown. Errors that only a JavaScript parser or a type checker
 * can find are added with `mapMessages`.
 *
 * @example
 * const { code, templates } = compile("<h1>Hello</h1>", "page.tpl")
 * templates // → []
 */
export function compile(source: string, file: string): Compiled {
  const name = getBaseName(file)
  const language = findLanguage(file)
  const { parts, problems } = parseModule(source, language)
  const starts = findLineStarts(source)
  const diagnostics = problems.map(({ offset, message, fix }) =>
    toDiagnostic(file, source, offset, message, fix, starts),
  )
  const templates = parts.flatMap((part): TemplateInfo[] => {
    if (part.kind !== "template") return []
    const { line, column } = locate(starts, part.nameStart)
    const children = (part.name === "Layout" && language === "html") || part.printsChildren
    return [{ name: part.name, line: line + 1, column: column + 1, async: part.isAsync, children }]
  })
  const { code, segments, copies } = emitModule(source, name, parts, language)
  const map: SourceMap = {
    version: 3,
    file: outputPath(name),
    sources: [name],
    sourcesContent: [source],
    names: [],
    mappings: encodeMappings(segments),
  }
  const output = `${code}${code.endsWith("\n") ? "" : "\n"}${toInlineMap(map)}`
  return { file, source, code: output, map, copies, templates, diagnostics }
}

/** Maximum number of warnings for a file. */
const maxWarnings = 20

/**
 * Returns warnings about markup that browsers would change, for a file without errors. The file works, but its pages
 * may look wrong.
 */
export function findWarnings(source: string, file: string): Diagnostic[] {
  const { parts, problems } = parseModule(source, findLanguage(file))
  if (problems.length > 0 || findLanguage(file) === "xml") return []
  const starts = findLineStarts(source)
  return findNestingProblems(parts)
    .slice(0, maxWarnings)
    .map(({ offset, message, fix }) => toDiagnostic(file, source, offset, message, fix, starts))
}
