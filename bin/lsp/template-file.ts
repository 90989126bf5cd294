/** A template with its compiled TypeScript, and the mapping of positions between the two. */

import type { Template, TypeScriptPart } from "../../template/ast.ts"
import { findLanguage } from "../../template/compile.ts"
import { type Compiled, type Copy, compile } from "../../template/index.ts"
import { parseModule } from "../../template/module.ts"
import { removeSourceMap } from "../mapper/transform.ts"
import { readShadow } from "./html/shadow.ts"
import type { Shadow } from "./html/shadow-parts.ts"
import type { Position, Range } from "./protocol.ts"
import { SourceText } from "./source-text.ts"

/** A template as TypeScript's server sees it. */
export class TemplateFile {
  readonly source: SourceText
  readonly compiled: Compiled
  readonly code: SourceText
  /** The parts that are copied to the code, in the order of the source. */
  readonly #bySource: readonly Copy[]
  #shadow: Shadow | undefined
  #parts: readonly (TypeScriptPart | Template)[] | undefined

  /** Compiles a template. */
  constructor(source: SourceText, path: string) {
    this.source = source
    this.compiled = compile(source.value, path)
    this.code = new SourceText(removeSourceMap(this.compiled.code))
    this.#bySource = [...this.compiled.copies].sort((a, b) => a.start - b.start)
  }

  /** The shadow of the template, created on first use. */
  get shadow(): Shadow {
    this.#shadow ??= readShadow(this.source.value, this.parts)
    return this.#shadow
  }

  /** The templates and the TypeScript between them, parsed on first use. */
  get parts(): readonly (TypeScriptPart | Template)[] {
    const { source, file } = this.compiled
    this.#parts ??= parseModule(source, findLanguage(file)).parts
    return this.#parts
  }

  /**
   * Returns the position in the code for a position in the source; undefined if the source is not TypeScript there.
   */
  toCode(position: Position): Position | undefined {
    const offset = this.source.offsetAt(position)
    const candidates = this.#bySource.filter(({ start, length }) => start <= offset && offset <= start + length)
    const found = candidates.findLast(({ start }) => start < offset) ?? candidates.at(-1)
    return found && this.code.positionAt(found.at + offset - found.start)
  }

  /** Returns the range in the source for a range in the code; undefined unless the whole range is in the source. */
  toSource({ start, end }: Range): Range | undefined {
    const from = this.code.offsetAt(start)
    const to = this.code.offsetAt(end)
    const { copies } = this.compiled
    const first = copies.findLast(({ at, length }) => at <= from && from <= at + length)
    if (!first) return undefined
    const isWithin = to <= first.at + first.length
    const other = isWithin ? first : copies.findLast(({ at, length }) => at < to && to <= at + length)
    if (!other) return undefined
    const [sourceStart, sourceEnd] = [first.start + from - first.at, other.start + to - other.at]
    return sourceEnd < sourceStart ? undefined : this.source.toRange(sourceStart, sourceEnd)
  }

  /** Returns true if a position is in code that is not finished yet. */
  isUnfinished(position: Position): boolean {
    const offset = this.code.offsetAt(position)
    return this.compiled.copies.some(
      ({ at, length, isUnfinished }) => isUnfinished && at <= offset && offset <= at + length + 1,
    )
  }
}
