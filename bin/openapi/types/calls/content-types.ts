/**
 * Reads the media types that a function sets on its answers: `c.setHeader("content-type", …)` and
 * `answer.headers.set("content-type", …)`.
 */
import type { CallExpression, Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { toMediaType } from "../answers.ts"
import { readArgumentNames } from "./context-calls.ts"
import type { FoundFacts, SetMedia } from "./found-facts.ts"
import { findCall, findTarget } from "./functions.ts"

/** Adds the media type that a call sets, if it is a literal. */
export function readSetMedia(name: string, call: CallExpression, found: FoundFacts, program: TypeProgram): void {
  const { expression: receiver } = call.expression as SyntaxNode
  const isHeaders = name === "set" && (receiver as SyntaxNode | undefined)?.name?.getText() === "headers"
  const [key, value] = call.arguments ?? []
  if ((name !== "setHeader" && !isHeaders) || !key || !value) return
  const isType = readArgumentNames(key, program)?.[0]?.toLowerCase() === "content-type"
  const [media, ...others] = (isType && readArgumentNames(value, program)) || []
  if (media === undefined || others.length > 0) return
  const answer = isHeaders ? (receiver as SyntaxNode).expression : undefined
  const originNode = answer && findTarget(answer, program)
  if (!answer) found.medias.push({ media: toMediaType(media), from: call })
  else if (originNode) found.medias.push({ media: toMediaType(media), of: findCall(originNode, program) ?? originNode })
}

/** Applies the media types that were found to the answers. */
export function applySetMedias({ answers, medias }: FoundFacts, program: TypeProgram): void {
  for (const { media, ...set } of medias)
    for (const [i, answer] of answers.entries())
      if (answer.media !== null && !answer.error && answer.made && isSetOn(answer.made, set, program))
        answers[i] = { ...answer, media }
}

/**
 * Returns true for the answer whose headers a call changes. If the call changes the context, returns true for the
 * answers that are created in the same block after the call.
 */
function isSetOn(made: Node, { of, from }: Omit<SetMedia, "media">, { kinds }: TypeProgram): boolean {
  if (!from) return made === of
  let block: Node | undefined = from.parent
  while (block && block.kind !== kinds.Block) block = block.parent
  for (let node: Node | undefined = made; node; node = node.parent) if (node === block) return made.pos > from.pos
  return false
}
