/** Responses in types: `TypedResponse`, `HttpError`, and promises and unions of them. */

import type { Answer, Place } from "../../../lib/openapi/model.ts"
import { mediaType } from "../../../lib/request/header-grammar.ts"
import { isTypeName } from "../../system/framework-files.ts"
import type { Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import { errorStatuses } from "./error-statuses.ts"
import { numbersOf, textsOf } from "./literal-types.ts"
import type { Shapes } from "./shapes.ts"

/** Returns the member types of a promise or a union. */
export function awaited(type: Type, program: TypeProgram): Type[] {
  if (type.isUnionType()) return type.getTypes().flatMap((part) => awaited(part, program))
  const { checker } = program
  if (type.getSymbol()?.name === "Promise" && type.isTypeReference()) {
    const [inner] = checker.getTypeArguments(type)
    return inner ? awaited(inner, program) : []
  }
  return [type]
}

/**
 * Returns the type that a promise resolves to; for a union with promises, that of each member. A union
 * without any is not split.
 */
export function promised(type: Type, program: TypeProgram): Type[] {
  const parts = type.isUnionType() ? type.getTypes() : [type]
  if (!parts.some((part) => part.getSymbol()?.name === "Promise")) return [type]
  return parts.flatMap((part) => {
    if (part.getSymbol()?.name !== "Promise" || !part.isTypeReference()) return [part]
    const [inner] = program.checker.getTypeArguments(part)
    return inner ? promised(inner, program) : []
  })
}

/**
 * Returns every response in a type; other members are ignored.
 *
 * @param made the expression that has the type.
 */
export function answersOf(type: Type, from: Node, shapes: Shapes, made?: Node): Answer[] {
  return awaited(type, shapes.program).flatMap((part) => {
    const error = errorStatuses(part, shapes.program, made)
    if (error) return error.map(errorAnswer)
    return isTypeName(part.getSymbol()?.name, "TypedResponse") ? typedAnswers(part, from, shapes) : []
  })
}

/**
 * Returns the responses in a type: its own, or those of a handler.
 *
 * @param at the call that makes them, if it is known.
 */
export function answersInType(type: Type, from: Node, shapes: Shapes, at?: Place): Answer[] {
  const { checker } = shapes.program
  const own = answersOf(type, from, shapes)
  const [handler] = own.length > 0 ? [] : checker.getSignaturesOfType(type, 0)
  const returned = handler && checker.getReturnTypeOfSignature(handler)
  const answers = returned ? answersOf(returned, from, shapes) : own
  return at ? answers.map((answer) => ({ ...answer, at })) : answers
}

/** Returns the response of an HttpError. */
export function errorAnswer(status: number | null): Answer {
  return { status, media: "application/json", error: true }
}

/** Returns true for a member that is a Response without known status and data. */
export function isPlainResponse(type: Type, program: TypeProgram): boolean {
  return awaited(type, program).some((part) => part.getSymbol()?.name === "Response")
}

function typedAnswers(type: Type, from: Node, shapes: Shapes): Answer[] {
  const { checker, flags: f } = shapes.program
  if (!type.isTypeReference()) return []
  const [status, data, media] = checker.getTypeArguments(type)
  if (!status || !data || !media) return []
  const body = media.flags & f.Never ? null : textsOf(media)
  const medias = body === null ? [null] : (body ?? ["*/*"])
  return (numbersOf(status, shapes.program) ?? [null]).flatMap((number) =>
    medias.map((text): Answer => {
      if (text === null) return { status: number, media: null }
      return { status: number, media: mediaOf(text), type: shapes.of(data, from) }
    }),
  )
}

/**
 * Returns a media type without its parameters, which do not describe the content; any type if there is none.
 */
export function mediaOf(text: string): string {
  return mediaType(text) || "*/*"
}
