/** Functions as the syntax has them. Used by `facts.ts`. */
import type { Node, TypeProgram } from "../typescript.ts"

/** A node that may be a function, or hold some. */
export type WithBody = Node & {
  readonly body?: Node
  readonly name?: Node & { readonly text?: string }
  readonly typeParameters?: readonly Node[]
  readonly members?: readonly Node[]
  readonly statements?: readonly Node[]
}

/** Whether nothing after a statement is reached through it. */
export function leaves(node: Node, { kinds }: TypeProgram): boolean {
  const last = node.kind === kinds.Block ? (node as WithBody).statements?.at(-1) : node
  return last?.kind === kinds.ReturnStatement || last?.kind === kinds.ThrowStatement
}

/** A function's declaration that has a body; of overloads, the last. */
export function implementationOf(node: Node | undefined): Node | undefined {
  if (!node) return undefined
  const { body, name, parent } = node as WithBody
  if (body) return node
  const around = parent as WithBody | undefined
  const siblings = around?.members ?? around?.statements ?? []
  return siblings.find((other) => {
    const { body, name: called } = other as WithBody
    return (
      body !== undefined &&
      called?.text !== undefined &&
      called.text === name?.text &&
      other.kind === node.kind
    )
  })
}
