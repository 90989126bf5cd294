/** Writes the TypeScript of a whole file. */

import type { Plain, Template } from "./ast.ts"
import type { Language } from "./elements.ts"
import { emitPart } from "./emit.ts"
import { madeBy, moduleHead, preamble } from "./module-head.ts"
import type { Segment } from "./sourcemap.ts"
import { type Copy, Writer } from "./writer.ts"

/** The output without its source map. */
export interface Emitted {
  readonly code: string
  readonly segments: readonly Segment[]
  readonly copies: readonly Copy[]
}

/** Writes the code of a file whose name, without directories, is `file`. */
export function emit(
  source: string,
  file: string,
  parts: readonly (Plain | Template)[],
  language: Language,
): Emitted {
  const writer = new Writer(source, preamble)
  const helpers = new Set<string>()
  const made = madeBy(source, language)
  for (const part of parts) emitPart(writer, helpers, part, language, made.type)
  const head = moduleHead(file, parts, helpers, made)
  const copies = writer.copies.map((copy) => ({ ...copy, at: copy.at + head.length }))
  return { code: head + writer.text, segments: writer.segments, copies }
}
