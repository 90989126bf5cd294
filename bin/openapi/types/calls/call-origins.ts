/** The targets of calls, and the parts of a function in which facts are read. */
import type { TypeModule } from "../../../system/framework-files.ts"
import type { CallExpression, Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"

/** The owner of a called function: the context, the platform, or unknown as long as TypeScript has not been asked. */
export type Origin = "context" | "platform" | "unknown"

/** The modules of fw that declare the methods of a context and its keys. */
export const contextModules: readonly (TypeModule | "" | null)[] = ["context", "contextKey"]

/** Returns the target of a call, as far as its name shows. Names that the project declares or imports are unknown. */
export function findOrigin(call: CallExpression, program: TypeProgram): Origin {
  const name = findNameNode(call)
  const { checker, symbolFlags: s } = program
  const symbol = name && checker.getSymbolAtLocation(name)
  if (!symbol || symbol.flags & s.Alias || symbol.declarations.length === 0) return "unknown"
  const modules = symbol.declarations.map(({ path }) => findModule(path, program))
  if (modules.every((module) => contextModules.includes(module))) return "context"
  return modules.every((module) => module === null) ? "platform" : "unknown"
}

/** Returns the module of fw that a file is, `""` for the project's own file, null for any other. */
function findModule(path: string, program: TypeProgram): TypeModule | "" | null {
  return program.isOwn(path) ? "" : program.findFrameworkModule(path)
}

/** Returns the kinds of nodes in which facts are read, and of those that determine whether they are reached. */
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

/**
 * Calls a function with the nearest nodes of some kinds inside a node. Nodes inside a node of these kinds are left
 * out.
 */
export function visitNearest(node: Node, kinds: ReadonlySet<number>, use: (node: Node) => void): void {
  node.forEachChild((child) => {
    if (kinds.has(child.kind)) use(child)
    else visitNearest(child, kinds, use)
  })
}

/** Returns true for expressions whose type may contain responses that no call in them shows. */
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

/** Returns the name of a called function: the last one in `users.find`. */
function findNameNode({ expression }: CallExpression): Node | undefined {
  return (expression as SyntaxNode).name ?? (("text" in expression && expression) || undefined)
}
