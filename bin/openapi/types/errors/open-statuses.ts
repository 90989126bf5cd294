/**
 * Resolves responses that depend on how a function of the project is called: their types, and statuses that are
 * parameters.
 */
import type { CallExpression, Node, Signature, TypeProgram } from "../../../tools/typescript/program.ts"
import { readAnswersInType } from "../answers.ts"
import { type CallReader, warnStatus } from "../calls/call-reader.ts"
import type { FoundAnswer } from "../calls/found-facts.ts"
import { type CallArgument, findArgument, findParameter, type ParameterPath } from "../calls/parameters.ts"
import { listNumbers } from "../literal-types.ts"

/**
 * Marks responses whose unknown status may come from a parameter as open.
 *
 * @param status the expression with the status.
 * @param at the expression that creates the responses.
 */
export function markOpenStatuses(
  answers: readonly FoundAnswer[],
  status: Node | undefined,
  at: Node,
  program: TypeProgram,
): FoundAnswer[] {
  const isUnknown = answers.some((answer) => answer.status === null)
  const parameter = status && isUnknown ? findParameter(status, program) : undefined
  // The parameter of a constructor gets its value where the class is used.
  if (!parameter || parameter.function.kind === program.kinds.Constructor) return [...answers]
  return answers.map((answer) => (answer.status === null ? { ...answer, open: { at, parameter } } : answer))
}

/**
 * Returns the responses of a function. Responses with type parameters of the function get the types of one call.
 */
export function applyCallTypes(
  answers: readonly FoundAnswer[],
  call: CallExpression,
  signature: Signature,
  { program, shapes }: CallReader,
): readonly FoundAnswer[] {
  const generic = answers.filter((answer) => !answer.error && answer.generic)
  const [first] = generic
  if (!first) return answers
  const returned = program.checker.getReturnTypeOfSignature(signature)
  const callAnswers = returned ? readAnswersInType(returned, call, shapes, first.at) : []
  if (callAnswers.length === 0) return answers
  const open = generic.length === 1 ? first.open : undefined
  const others = answers.filter((answer) => !generic.includes(answer))
  return [...others, ...callAnswers.map((answer) => (answer.status === null && open ? { ...answer, open } : answer))]
}

/** Resolves the open statuses of a function for one call. */
export function resolveStatusesForCall(
  answers: readonly FoundAnswer[],
  call: CallExpression,
  target: Node,
  program: TypeProgram,
): FoundAnswer[] {
  return answers.flatMap((answer): FoundAnswer[] => {
    const { open, ...rest } = answer
    if (open?.parameter?.function !== target) return [answer]
    const given = findArgument(call, open.parameter, program) ?? findDefault(open.parameter, program)
    const numbers = given && listNumbers(given.type, program)
    if (numbers) return numbers.map((status) => ({ ...rest, status, resolvedFrom: open.at }))
    const origin = given && findParameter(given.node, program)
    const parameter = origin && { ...origin, path: [...origin.path, ...given.path] }
    return [{ ...rest, resolvedFrom: open.at, open: { at: call, parameter } }]
  })
}

/** Returns the default value of a parameter. */
function findDefault({ function: owner, index, path }: ParameterPath, program: TypeProgram): CallArgument | undefined {
  const { parameters } = owner as Node & { readonly parameters?: readonly (Node & { initializer?: Node })[] }
  const node = path.length === 0 ? parameters?.[index]?.initializer : undefined
  const type = node && program.checker.getTypeAtLocation(node)
  return node && type && { node, path, type }
}

/** Decides open responses: those that a call has resolved are left out, and the status of any other is reported. */
export function settleOpenAnswers(answers: readonly FoundAnswer[], reader: CallReader): FoundAnswer[] {
  const decidedNodes = new Set(answers.flatMap(({ resolvedFrom }) => resolvedFrom ?? []))
  return answers.flatMap(({ open, resolvedFrom: _, ...answer }) => {
    if (!open) return [answer]
    if (decidedNodes.has(open.at)) return []
    warnStatus(open.at, reader)
    return [answer]
  })
}
