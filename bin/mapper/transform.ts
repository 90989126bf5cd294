/** The TypeScript of a `.tpl` file for TypeScript's own programs, with the places that it came from. */

import { type Compiled, type Copy, compile, type Diagnostic } from "../../lib/template/index.ts"

/** Kind of a mapping: a part of the source that is in the text unchanged. */
const verbatim = 0
/** Policy for the errors of TypeScript in a part of the text: none is shown. */
const ignore = 0

/** Code of every error of the template compiler. */
export const errorCode = 1

/** An answer to `transform`, as TypeScript 7.1 reads it. Offsets count UTF-16 units. */
export interface Transformed {
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
export function transform(source: string, fileName: string): Transformed {
  const { code, copies, diagnostics } = compile(source, fileName)
  const mappings = copies.map(({ at, start, length }) => [at, length, start, length, verbatim] as const)
  const result = { text: withoutMap(code), extension: ".ts", mappings } as const
  if (diagnostics.length === 0) return result
  return {
    ...result,
    diagnostics: diagnostics.map((found) => toMapperDiagnostic(source, found)),
    diagnosticDirectives: {
      unusedExpectDirectiveDiagnostics: [],
      directives: copies.filter((copy) => copy.unfinished).map((copy) => silenced(copy)),
    },
  }
}

/** Returns code without its source map, which only those who run it need. */
export function withoutMap(code: Compiled["code"]): string {
  return code.slice(0, code.lastIndexOf("//# sourceMappingURL="))
}

/** Returns the directive that hides TypeScript's errors in code whose end is not written. */
function silenced({ at, start, length }: Copy): readonly [number, number, number, number, number] {
  return [start, length, at, at + length, ignore]
}

function toMapperDiagnostic(source: string, { offset, message, fix }: Diagnostic): MapperDiagnostic {
  const messageText = fix ? `${message}\n${fix}` : message
  return { messageText, start: offset, length: lengthAt(source, offset), code: errorCode }
}

const markedText = /[\w$-]+|<\/?[\w:.-]+|[^\s]/uy

/** Returns the length of the word, tag or mark at an offset, for the line below it in an editor. */
export function lengthAt(source: string, offset: number): number {
  markedText.lastIndex = offset
  return markedText.exec(source)?.[0].length ?? 0
}
