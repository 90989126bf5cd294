/** Declarations in the types of middleware: required security, and error responses. */

import type { Node, Type } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import type { AnswerFacts, Facts } from "../../document/model.ts"
import { toErrorAnswer } from "../answers.ts"
import { type CallReader, readPropertyType } from "../calls/call-reader.ts"
import { listNumbers, listTexts } from "../literal-types.ts"

/** The declarations. */
export interface Marks {
  /** Each as alternatives, as in `@security`. */
  readonly security: readonly (readonly string[])[]
  readonly answers: readonly AnswerFacts[]
}

/** Returns the declarations of what `Middleware()` returns, in order if it is a list. */
export function readReturnedMarks(target: Node, reader: CallReader): Marks {
  const { kinds } = reader.program
  const { body } = target as SyntaxNode
  if (!body) return { security: [], answers: [] }
  if (body.kind !== kinds.Block) return readDeclaredMarks(body, reader)
  const last = body.statements?.findLast(({ kind }) => kind === kinds.ReturnStatement) as SyntaxNode | undefined
  return last?.expression ? readDeclaredMarks(last.expression, reader) : { security: [], answers: [] }
}

/** Returns `security` and `answers` of a middleware's type, or of each one in a list. */
export function readDeclaredMarks(node: Node, reader: CallReader): Marks {
  const { kinds, checker } = reader.program
  const { elements } = node as SyntaxNode
  const parts = node.kind === kinds.ArrayLiteralExpression && elements ? elements : [node]
  const types = parts.flatMap((part) => checker.getTypeAtLocation(part) ?? [])
  return {
    security: types.flatMap((type) => {
      const declared = readDeclaredType("security", type, reader)
      const texts = declared && listTexts(declared)
      return texts && texts.length > 0 ? [texts] : []
    }),
    answers: types.flatMap((type) => {
      const declared = readDeclaredType("answers", type, reader)
      return ((declared && listNumbers(declared, reader.program)) ?? []).map(toErrorAnswer)
    }),
  }
}

/** Returns the type of a declaration, which may exist only in the type: `readonly answers?: 429`. */
function readDeclaredType(name: string, type: Type, reader: CallReader): Type | undefined {
  const declared = readPropertyType(name, type, reader)
  return declared && reader.program.checker.getNonNullableType(declared)
}

/** Returns facts with the declarations added first. */
export function addMarks(facts: Facts, { security, answers }: Marks): Facts {
  return {
    ...facts,
    security: [...security, ...facts.security],
    answers: [...answers, ...facts.answers],
  }
}
