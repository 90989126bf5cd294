/** Answers out of types: `TypedResponse`, `HttpError`, and promises and unions of them. Called by `calls.ts` and `facts.ts`. */

import type { Answer } from "../../../lib/openapi/model.ts"
import { mediaType } from "../../../lib/request/headers.ts"
import { isTypeName } from "../../system/framework-files.ts"
import type { Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import { errorStatuses } from "./error-statuses.ts"
import { numbersOf, textsOf } from "./literal-types.ts"
import type { Shapes } from "./shapes.ts"

/** The parts of a type that a promise or a union is of. */
export function awaited(type: Type, program: TypeProgram): Type[] {
  if (type.isUnionType()) return type.getTypes().flatMap((part) => awaited(part, program))
  const { checker } = program
  if (type.getSymbol()?.name === "Promise" && type.isTypeReference()) {
    const [inner] = checker.getTypeArguments(type)
    return inner ? awaited(inner, program) : []
  }
  return [type]
}

/** The type that a promise resolves to; of a union with promises, that of each member. A union without any stays whole. */
export function promised(type: Type, program: TypeProgram): Type[] {
  const parts = type.isUnionType() ? type.getTypes() : [type]
  if (!parts.some((part) => part.getSymbol()?.name === "Promise")) return [type]
  return parts.flatMap((part) => {
    if (part.getSymbol()?.name !== "Promise" || !part.isTypeReference()) return [part]
    const [inner] = program.checker.getTypeArguments(part)
    return inner ? promised(inner, program) : []
  })
}

/** Every answer that a type tells of; other parts of it are passed over. @param made the expression that has the type. */
export function answersOf(type: Type, from: Node, shapes: Shapes, made?: Node): Answer[] {
  return awaited(type, shapes.program).flatMap((part) => {
    const error = errorStatuses(part, shapes.program, made)
    if (error) return error.map(errorAnswer)
    return isTypeName(part.getSymbol()?.name, "TypedResponse") ? typedAnswers(part, from, shapes) : []
  })
}

/** The answer that an HttpError becomes. */
export function errorAnswer(status: number | null): Answer {
  return { status, media: "application/json", error: true }
}

/** Whether a part of a type is a Response that tells neither status nor data. */
export function isUntold(type: Type, program: TypeProgram): boolean {
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

/** A media type without its parameters, which say nothing of the content; any type for none. */
export function mediaOf(text: string): string {
  return mediaType(text) || "*/*"
}
