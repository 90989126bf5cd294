/** The TypeScript of a `.tpl` file for TypeScript's own programs, with the places that it came from. */

import { type Compiled, type Copy, compile, type Diagnostic } from "../../template/index.ts"

/** Kind of a mapping: a part of the source that is in the text unchanged. */
const verbatimKind = 0
/** Policy for the errors of TypeScript in a part of the text: none is shown. */
const ignorePolicy = 0

/** Code of every error of the template compiler. */
export const errorCode = 1

/** An answer to `transform`, as TypeScript 7.1 reads it. Offsets count UTF-16 units. */
export interface TransformResult {
  readonly text: string
  readonly extension: ".ts"
  /** The start and length in the text, the start and length in the source, the kind. */
  readonly mappings: readonly (readonly [number, number, number, number, number])[]
  readonly diagnostics?: readonly MapperDiagnostic[]
  readonly diagnosticDirectives?: {
    readonly unusedExpectDirectiveDiagnostics: readonly never[]
    /** The start and length in the source, the start and end in the text, the policy. */
    readonly directives: readonly (readonly [number, number, number, number, number])[]
  }
}

interface MapperDiagnostic {
  readonly messageText: string
  readonly start: number
  readonly length: number
  readonly code: number
}

/** Compiles a file. Its TypeScript is never empty, so that the files that import it keep their types. */
export function transform(source: string, fileName: string): TransformResult {
  const { code, copies, diagnostics } = compile(source, fileName)
  const mappings = copies.map(({ at, start, length }) => [at, length, start, length, verbatimKind] as const)
  const result = { text: removeSourceMap(code), extension: ".ts", mappings } as const
  if (diagnostics.length === 0) return result
  return {
    ...result,
    diagnostics: diagnostics.map((found) => toMapperDiagnostic(source, found)),
    diagnosticDirectives: {
      unusedExpectDirectiveDiagnostics: [],
      directives: copies.filter((copy) => copy.unfinished).map((copy) => hideErrors(copy)),
    },
  }
}

/** Returns code without its source map, which only those who run it need. */
export function removeSourceMap(code: Compiled["code"]): string {
  return code.slice(0, code.lastIndexOf("//# sourceMappingURL="))
}

/** Returns the directive that hides TypeScript's errors in code whose end is not written. */
function hideErrors({ at, start, length }: Copy): readonly [number, number, number, number, number] {
  return [start, length, at, at + length, ignorePolicy]
}

function toMapperDiagnostic(source: string, { offset, message, fix }: Diagnostic): MapperDiagnostic {
  const messageText = fix ? `${message}\n${fix}` : message
  return { messageText, start: offset, length: measureMark(source, offset), code: errorCode }
}

const markPattern = /[\w$-]+|<\/?[\w:.-]+|[^\s]/uy

/** Returns the length of the word, tag or mark at an offset, for the line below it in an editor. */
export function measureMark(source: string, offset: number): number {
  markPattern.lastIndex = offset
  return markPattern.exec(source)?.[0].length ?? 0
}
