/**
 * Reads the media types that a function sets on its answers: `c.setHeader("content-type", …)` and
 * `answer.headers.set("content-type", …)`.
 */
import type { CallExpression, Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { toMediaType } from "../answers.ts"
import { readArgumentNames } from "./context-calls.ts"
import type { FoundFacts, MediaChange } from "./found-facts.ts"
import { findCall, findTarget } from "./functions.ts"

/** Adds the media type that a call sets, if the type is a literal. */
export function readMediaChange(name: string, call: CallExpression, found: FoundFacts, program: TypeProgram): void {
  const { expression: receiver } = call.expression as SyntaxNode
  const isHeaders = name === "set" && (receiver as SyntaxNode | undefined)?.name?.getText() === "headers"
  const [key, value] = call.arguments ?? []
  if ((name !== "setHeader" && !isHeaders) || !key || !value) return
  const isType = readArgumentNames(key, program)?.[0]?.toLowerCase() === "content-type"
  const [media, ...others] = (isType && readArgumentNames(value, program)) || []
  if (media === undefined || others.length > 0) return
  const answer = isHeaders ? (receiver as SyntaxNode).expression : undefined
  const originNode = answer && findTarget(answer, program)
  if (!answer) found.mediaChanges.push({ media: toMediaType(media), contextCall: call })
  else if (originNode)
    found.mediaChanges.push({ media: toMediaType(media), answerCall: findCall(originNode, program) ?? originNode })
}

/** Applies the media types that were found to the answers. */
export function applyMediaChanges({ answers, mediaChanges }: FoundFacts, program: TypeProgram): void {
  for (const { media, ...calls } of mediaChanges)
    for (const [i, answer] of answers.entries())
      if (answer.media !== null && !answer.error && answer.call && isChangedBy(calls, answer.call, program))
        answers[i] = { ...answer, media }
}

/**
 * Returns true if a change applies to the answer that a call creates. A change of the context applies to the answers
 * that are created in the same block after it.
 */
function isChangedBy(
  { answerCall, contextCall }: Omit<MediaChange, "media">,
  call: Node,
  { kinds }: TypeProgram,
): boolean {
  if (!contextCall) return call === answerCall
  let block: Node | undefined = contextCall.parent
  while (block && block.kind !== kinds.Block) block = block.parent
  for (let node: Node | undefined = call; node; node = node.parent)
    if (node === block) return call.pos > contextCall.pos
  return false
}
