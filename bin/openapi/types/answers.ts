/** Reads responses from types: `TypedResponse`, `HttpError`, and promises and unions of these. */

import { parseMediaType } from "../../../lib/request/header-grammar.ts"
import { isTypeName } from "../../system/framework-files.ts"
import type { Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import type { AnswerFacts, SourceLocation } from "../document/model.ts"
import { readErrorStatuses } from "./errors/error-statuses.ts"
import { listNumbers, listTexts } from "./literal-types.ts"
import type { Shapes } from "./shapes.ts"

/** Returns the members of a union. A promise is replaced by the type that it resolves to. */
function listAwaitedTypes(type: Type, program: TypeProgram): Type[] {
  return listPromisedTypes(type, program).flatMap((part) => (part.isUnionType() ? part.getTypes() : [part]))
}

/**
 * Returns the type that a promise resolves to. For a union with promises, returns that of each member; a union
 * without promises is not split.
 */
export function listPromisedTypes(type: Type, program: TypeProgram): Type[] {
  const parts = type.isUnionType() ? type.getTypes() : [type]
  if (!parts.some((part) => part.getSymbol()?.name === "Promise")) return [type]
  return parts.flatMap((part) => {
    if (part.getSymbol()?.name !== "Promise" || !part.isTypeReference()) return [part]
    const [inner] = program.checker.getTypeArguments(part)
    return inner ? listPromisedTypes(inner, program) : []
  })
}

/**
 * Returns all responses in a type and ignores other members.
 *
 * @param creation the expression that has this type.
 */
export function readAnswers(type: Type, from: Node, shapes: Shapes, creation?: Node): AnswerFacts[] {
  return listAwaitedTypes(type, shapes.program).flatMap((part) => {
    const error = readErrorStatuses(part, shapes.program, creation)
    if (error) return error.map(toErrorAnswer)
    return isTypeName(part.getSymbol()?.name, "TypedResponse") ? readTypedAnswers(part, from, shapes) : []
  })
}

/**
 * Returns the responses in a type, or those that a handler of this type returns.
 *
 * @param at the call that creates them, if it is known.
 */
export function readAnswersInType(type: Type, from: Node, shapes: Shapes, at?: SourceLocation): AnswerFacts[] {
  const { checker } = shapes.program
  const own = readAnswers(type, from, shapes)
  const [handler] = own.length > 0 ? [] : checker.getSignaturesOfType(type, 0)
  const returned = handler && checker.getReturnTypeOfSignature(handler)
  const answers = returned ? readAnswers(returned, from, shapes) : own
  return at ? answers.map((answer) => ({ ...answer, at })) : answers
}

/** Returns the response of an HttpError. */
export function toErrorAnswer(status: number | null): AnswerFacts {
  return { status, media: "application/json", error: true }
}

/** Returns true if a member of a type is a Response whose status and data are not known. */
export function isPlainResponse(type: Type, program: TypeProgram): boolean {
  return listAwaitedTypes(type, program).some((part) => part.getSymbol()?.name === "Response")
}

function readTypedAnswers(type: Type, from: Node, shapes: Shapes): AnswerFacts[] {
  const { checker, flags: f } = shapes.program
  if (!type.isTypeReference()) return []
  const [status, data, media] = checker.getTypeArguments(type)
  if (!status || !data || !media) return []
  const body = media.flags & f.Never ? null : listTexts(media)
  const medias = body === null ? [null] : (body ?? ["*/*"])
  return (listNumbers(status, shapes.program) ?? [null]).flatMap((number) =>
    medias.map((text): AnswerFacts => {
      if (text === null) return { status: number, media: null }
      return { status: number, media: toMediaType(text), type: shapes.convert(data, from) }
    }),
  )
}

/**
 * Returns a media type without parameters, because these do not describe the content. Without a media type, returns
 * the one that stands for any.
 */
export function toMediaType(text: string): string {
  return parseMediaType(text) || "*/*"
}
