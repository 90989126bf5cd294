/** What the types of middleware declare that a request must bring. Called by `handlers.ts` and `main-file.ts`. */
import type { Node } from "../typescript.ts"
import { textsOf } from "./answers.ts"
import { type CallReader, typeOf } from "./calls.ts"

type Parts = Node & {
  readonly body?: Node & { readonly statements?: readonly Node[] }
  readonly expression?: Node
  readonly elements?: readonly Node[]
}

/** What `Middleware()` returns declares, in the order of the list that it may be. */
export function securityOf(target: Node, reader: CallReader): string[][] {
  const { kinds } = reader.program
  const { body } = target as Parts
  if (!body) return []
  if (body.kind !== kinds.Block) return declaredSecurity(body, reader)
  const last = body.statements?.findLast(({ kind }) => kind === kinds.ReturnStatement) as Parts | undefined
  return last?.expression ? declaredSecurity(last.expression, reader) : []
}

/** The `security` of a middleware's type: one text, or several to choose from. */
export function declaredSecurity(node: Node, reader: CallReader): string[][] {
  const { kinds, checker } = reader.program
  const { elements } = node as Parts
  const parts = node.kind === kinds.ArrayLiteralExpression && elements ? elements : [node]
  return parts.flatMap((part) => {
    const type = checker.getTypeAtLocation(part)
    const declared = type && typeOf("security", type, reader)
    const texts = declared && textsOf(declared)
    return texts && texts.length > 0 ? [texts] : []
  })
}
