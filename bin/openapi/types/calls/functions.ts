/** Finds functions in the syntax, and the functions that expressions refer to. */
import type { CallExpression, Node, TypeProgram, TypeSymbol } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"

/** Returns true for a `return`, a `throw`, and a block that ends with one of them. */
export function alwaysExits(node: Node, { kinds }: TypeProgram): boolean {
  const last = node.kind === kinds.Block ? (node as SyntaxNode).statements?.at(-1) : node
  return last?.kind === kinds.ReturnStatement || last?.kind === kinds.ThrowStatement
}

/** Returns the declaration with the function's body. An overloaded function has several declarations. */
export function findImplementation(node: Node | undefined): Node | undefined {
  if (!node) return undefined
  const { body, name, parent } = node as SyntaxNode
  if (body) return node
  const owner = parent as SyntaxNode | undefined
  const siblings = owner?.members ?? owner?.statements ?? []
  return siblings.find((other) => {
    const { body, name: otherName } = other as SyntaxNode
    return (
      body !== undefined && otherName?.text !== undefined && otherName.text === name?.text && other.kind === node.kind
    )
  })
}

/** Returns the symbol of a name. For `{ body }`, which is both a property and a variable, it is the variable. */
export function findSymbol(node: Node, { kinds, checker }: TypeProgram): TypeSymbol | undefined {
  return node.parent.kind === kinds.ShorthandPropertyAssignment
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
}

/** Returns the function to which an expression or declaration leads, or the expression that creates it. */
export function findTarget(node: Node, program: TypeProgram, depth = 0): Node | undefined {
  const { kinds, checker, symbolFlags: s } = program
  const { initializer, expression } = node as SyntaxNode
  if (depth > 10) return undefined
  const wraps = [kinds.ParenthesizedExpression, kinds.AsExpression, kinds.SatisfiesExpression]
  if (wraps.includes(node.kind as never) && expression) return findTarget(expression, program, depth + 1)
  if (initializer) return findTarget(initializer, program, depth + 1)
  // `users.list.bind(users)` leads to `users.list`.
  const bound = node.kind === kinds.CallExpression ? expression : undefined
  if (bound?.name?.text === "bind" && bound.expression) return findTarget(bound.expression, program, depth + 1)
  if (node.kind !== kinds.Identifier && node.kind !== kinds.PropertyAccessExpression) return node
  const symbol = findSymbol(node, program)
  const real = symbol && symbol.flags & s.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const declared = program.resolveNode(real?.valueDeclaration)
  return declared && program.isOwn(declared.getSourceFile().fileName)
    ? findTarget(declared, program, depth + 1)
    : undefined
}

/** Returns the call in an expression, without `await` and parentheses; undefined for any other expression. */
export function findCall(node: Node, program: TypeProgram): CallExpression | undefined {
  const { kinds } = program
  if (node.kind === kinds.CallExpression) return node as CallExpression
  if (node.kind !== kinds.AwaitExpression && node.kind !== kinds.ParenthesizedExpression) return undefined
  return findCall((node as SyntaxNode).expression as Node, program)
}

/** Returns true if code throws the caught error again. */
export function throwsAgain(node: Node, name: string, program: TypeProgram): boolean {
  const { expression } = node as SyntaxNode
  if (node.kind === program.kinds.ThrowStatement && expression?.getText() === name) return true
  return node.forEachChild((child) => throwsAgain(child, name, program) || undefined) ?? false
}

/** Returns the kinds of syntax nodes that contain facts or decide whether facts are reached. */
export function listFactKinds({ kinds }: TypeProgram): ReadonlySet<number> {
  return new Set<number>([
    kinds.CallExpression,
    kinds.NewExpression,
    kinds.ThrowStatement,
    kinds.ReturnStatement,
    kinds.ArrowFunction,
    kinds.TryStatement,
    kinds.IfStatement,
    kinds.Block,
  ])
}

/** Calls a function for the outermost nodes of some kinds inside a node. */
export function visitNearest(node: Node, kinds: ReadonlySet<number>, use: (node: Node) => void): void {
  node.forEachChild((child) => {
    if (kinds.has(child.kind)) use(child)
    else visitNearest(child, kinds, use)
  })
}

/** Returns true if the type of an expression may contain responses that no call in the expression reveals. */
export function mayAnswer({ kind }: Node, { kinds }: TypeProgram): boolean {
  return (
    kind === kinds.CallExpression ||
    kind === kinds.AwaitExpression ||
    kind === kinds.NewExpression ||
    kind === kinds.Identifier ||
    kind === kinds.ConditionalExpression ||
    kind === kinds.ParenthesizedExpression
  )
}
