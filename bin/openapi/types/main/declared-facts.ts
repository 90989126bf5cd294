/** Reads the security and the answers that middleware declares in its type and in its comment. */

import type { CallExpression, Node, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { listTexts as listTagTexts, readComment } from "../../document/comment.ts"
import type { AnswerFacts, Facts } from "../../document/model.ts"
import { toErrorAnswer } from "../answers.ts"
import { type CallReader, readPropertyType } from "../calls/call-reader.ts"
import { readCalledName } from "../calls/callees.ts"
import { findSymbol } from "../calls/functions.ts"
import { readDocComment } from "../comments.ts"
import { listNumbers, listTexts } from "../literal-types.ts"

/** The security and the answers that middleware declares. */
export interface DeclaredFacts {
  /** The required security. Each item is a list of alternatives, as in `@security`. */
  readonly security: readonly (readonly string[])[]
  readonly answers: readonly AnswerFacts[]
}

/** Returns the declared facts of the middleware in the last `return` of the function `Middleware()`. */
export function readReturnedFacts(target: Node, reader: CallReader): DeclaredFacts {
  const { kinds } = reader.program
  const { body } = target as SyntaxNode
  if (!body) return { security: [], answers: [] }
  if (body.kind !== kinds.Block) return readDeclaredFacts(body, reader)
  const last = body.statements?.findLast(({ kind }) => kind === kinds.ReturnStatement) as SyntaxNode | undefined
  return last?.expression ? readDeclaredFacts(last.expression, reader) : { security: [], answers: [] }
}

/** Returns the declared facts of a middleware or of a list of middleware. */
export function readDeclaredFacts(node: Node, reader: CallReader): DeclaredFacts {
  const { kinds, checker } = reader.program
  const { elements } = node as SyntaxNode
  const parts = node.kind === kinds.ArrayLiteralExpression && elements ? elements : [node]
  return {
    security: parts.map((part) => readSecurity(part, reader)).filter((ways) => ways.length > 0),
    answers: parts.flatMap((part) => {
      const type = checker.getTypeAtLocation(part)
      const declared = type && readDeclaredType("answers", type, reader)
      return ((declared && listNumbers(declared, reader.program)) ?? []).map(toErrorAnswer)
    }),
  }
}

/**
 * Returns the security that a middleware requires, as alternatives: from the members of `combine`, otherwise from
 * its type, otherwise from the comment of its function or constant.
 */
function readSecurity(node: Node, reader: CallReader): readonly string[] {
  const combined = readCombinedSecurity(node, reader)
  if (combined) return combined
  const type = reader.program.checker.getTypeAtLocation(node)
  const declared = type && readDeclaredType("security", type, reader)
  const texts = (declared && listTexts(declared)) ?? []
  return texts.length > 0 ? texts : readCommentSecurity(node, reader.program)
}

/**
 * Returns the security that a call of `combine` requires. Returns undefined for any other expression, and if only
 * the type knows what a member requires.
 */
function readCombinedSecurity(node: Node, reader: CallReader): readonly string[] | undefined {
  const { program } = reader
  const { kinds, checker } = program
  if (node.kind !== kinds.CallExpression) return undefined
  const call = node as CallExpression
  const { path = "" } = checker.getResolvedSignature(call)?.declaration ?? {}
  if (program.findFrameworkModule(path) !== "combine") return undefined
  if (call.arguments.some(({ kind }) => kind === kinds.SpreadElement)) return undefined
  const name = readCalledName(call.expression)
  // The first argument of except() and only() is the condition and no middleware.
  const isConditional = name === "except" || name === "only"
  const members = call.arguments.slice(isConditional ? 1 : 0).map((member) => readSecurity(member, reader))
  const guards = members.filter((ways) => ways.length > 0)
  if (guards.length === 0) return []
  if (name === "some") return [...guards.flat(), ...(guards.length < members.length ? ["none"] : [])]
  const together = guards.reduce((all, ways) => all.flatMap((one) => ways.map((other) => `${one} & ${other}`)))
  return isConditional ? [...together, "none"] : together
}

/** Returns the requirements in the comment of the function or constant that an expression names or calls. */
function readCommentSecurity(node: Node, program: TypeProgram): readonly string[] {
  const { kinds, checker, symbolFlags } = program
  const nameNode = node.kind === kinds.CallExpression ? (node as CallExpression).expression : node
  const symbol = findSymbol(nameNode, program)
  const real = symbol && symbol.flags & symbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const declared = program.resolveNode(real?.valueDeclaration)
  if (!declared || !program.isOwn(declared.getSourceFile().fileName)) return []
  return listTagTexts(readComment(readDocComment(declared, program)), "security")
}

/** Returns the type of a property without `undefined`. The property may be declared only: `readonly answers?: 429`. */
function readDeclaredType(name: string, type: Type, reader: CallReader): Type | undefined {
  const declared = readPropertyType(name, type, reader)
  return declared && reader.program.checker.getNonNullableType(declared)
}

/** Returns the facts with the declared facts before them. */
export function addDeclaredFacts(facts: Facts, { security, answers }: DeclaredFacts): Facts {
  return {
    ...facts,
    security: [...security, ...facts.security],
    answers: [...answers, ...facts.answers],
  }
}
