/** Writes the TypeScript of a whole file. */

import type { Template, TypeScriptPart } from "../ast.ts"
import type { Language } from "../check/elements.ts"
import type { Segment } from "../sourcemap.ts"
import { emitPart } from "./emit.ts"
import { chooseResultNames, formatModuleHead, headLineCount } from "./module-head.ts"
import { type Copy, Writer } from "./writer.ts"

/** The TypeScript of a file, without its source map. */
export interface EmittedModule {
  readonly code: string
  readonly segments: readonly Segment[]
  readonly copies: readonly Copy[]
}

/** Writes the code for a file. @param file the name of the file without directories. */
export function emitModule(
  source: string,
  file: string,
  parts: readonly (TypeScriptPart | Template)[],
  language: Language,
): EmittedModule {
  const writer = new Writer(source, headLineCount)
  const helpers = new Set<string>()
  const resultNames = chooseResultNames(source, language)
  for (const part of parts) emitPart(writer, helpers, part, language, resultNames.type)
  const head = formatModuleHead(file, parts, helpers, resultNames)
  const copies = writer.copies.map((copy) => ({ ...copy, at: copy.at + head.length }))
  return { code: head + writer.text, segments: writer.segments, copies }
}
