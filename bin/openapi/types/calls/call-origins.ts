/** Finds out who owns the functions that are called, and visits the parts of a function that contain facts. */
import type { TypeModule } from "../../../system/framework-files.ts"
import type { CallExpression, Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"

/** The owner of a called function. It is `unknown` if the name does not tell, so TypeScript must be asked. */
export type Origin = "context" | "platform" | "unknown"

/** The modules of fw that declare the methods of a context. */
export const contextModules: readonly (TypeModule | "" | null)[] = ["context", "contextKey"]

/**
 * Returns the owner of a called function as far as its name tells. Names that the project declares or imports are
 * `unknown`.
 */
export function findOrigin(call: CallExpression, program: TypeProgram): Origin {
  const name = findNameNode(call)
  const { checker, symbolFlags: s } = program
  const symbol = name && checker.getSymbolAtLocation(name)
  if (!symbol || symbol.flags & s.Alias || symbol.declarations.length === 0) return "unknown"
  const modules = symbol.declarations.map(({ path }) => findModule(path, program))
  if (modules.every((module) => contextModules.includes(module))) return "context"
  return modules.every((module) => module === null) ? "platform" : "unknown"
}

/** Returns which module of fw a file is; `""` for a file of the project, null for any other file. */
function findModule(path: string, program: TypeProgram): TypeModule | "" | null {
  return program.isOwn(path) ? "" : program.findFrameworkModule(path)
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

/** Returns the node of a called function's name, such as `find` in `users.find`. */
function findNameNode({ expression }: CallExpression): Node | undefined {
  return (expression as SyntaxNode).name ?? (("text" in expression && expression) || undefined)
}
