/** Converts a `.tpl` file to TypeScript, with mappings to the positions in the source. */

import { type Compiled, type Copy, compile, type Diagnostic } from "../../template/index.ts"

/** The kind of a mapping whose text is copied unchanged from the source. */
const verbatimKind = 0
/** The policy that hides TypeScript's errors in a range. */
const ignorePolicy = 0

/** The code that every error of the template compiler has in TypeScript. */
export const errorCode = 1

/** The answer to `transform`, in the format of TypeScript 7.1. Offsets count UTF-16 units. */
export interface TransformResult {
  readonly text: string
  readonly extension: ".ts"
  /** Start and length in the text, start and length in the source, kind. */
  readonly mappings: readonly (readonly [number, number, number, number, number])[]
  readonly diagnostics?: readonly MapperDiagnostic[]
  readonly diagnosticDirectives?: {
    readonly unusedExpectDirectiveDiagnostics: readonly never[]
    /** Start and length in the source, start and end in the text, policy. */
    readonly directives: readonly (readonly [number, number, number, number, number])[]
  }
}

interface MapperDiagnostic {
  readonly messageText: string
  readonly start: number
  readonly length: number
  readonly code: number
}

/** Compiles a file. The text is never empty, because files that import it need its types even after an error. */
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
      directives: copies.filter((copy) => copy.isUnfinished).map((copy) => hideErrors(copy)),
    },
  }
}

/** Removes the source map, which only running code needs. */
export function removeSourceMap(code: Compiled["code"]): string {
  return code.slice(0, code.lastIndexOf("//# sourceMappingURL="))
}

/** Returns a directive that hides TypeScript's errors in code that the user has not finished yet. */
function hideErrors({ at, start, length }: Copy): readonly [number, number, number, number, number] {
  return [start, length, at, at + length, ignorePolicy]
}

function toMapperDiagnostic(source: string, { offset, message, fix }: Diagnostic): MapperDiagnostic {
  const messageText = fix ? `${message}\n${fix}` : message
  return { messageText, start: offset, length: measureMark(source, offset), code: errorCode }
}

const markPattern = /[\w$-]+|<\/?[\w:.-]+|[^\s]/uy

/** Returns the length of the word, tag or mark at an offset, which editors underline. */
export function measureMark(source: string, offset: number): number {
  markPattern.lastIndex = offset
  return markPattern.exec(source)?.[0].length ?? 0
}
