/** The targets of a file's calls, requested for all of them at once. */
import type { TypeModule } from "../../system/framework-files.ts"
import type { CallExpression, Node, TypeProgram } from "../../tools/typescript/program.ts"
import type { TypesOfCalls } from "./ask-ahead.ts"
import { isBinder } from "./calls.ts"

/** The owner of a called function: the context, the platform, or unknown until TypeScript is asked. */
export type Origin = "context" | "platform" | "unknown"

type Parts = Node & { readonly expression?: Node; readonly name?: Node; readonly body?: Node }

/** The modules of fw that declare the methods of a context. */
export const contextModules: readonly (TypeModule | "" | null)[] = [
  "context",
  "contextBody",
  "contextRequest",
  "contextStore",
]

/** Finds the targets of calls. */
export class CallOrigins {
  readonly #program: TypeProgram
  readonly #read = new Set<Node>()

  constructor(program: TypeProgram) {
    this.#program = program
  }

  /**
   * Returns the target of a call, as far as its name shows. Names that the project declares or imports are
   * unknown.
   */
  of(call: CallExpression): Origin {
    const name = nameOf(call)
    const { checker, symbolFlags: s } = this.#program
    const symbol = name && checker.getSymbolAtLocation(name)
    if (!symbol || symbol.flags & s.Alias || symbol.declarations.length === 0) return "unknown"
    const modules = symbol.declarations.map(({ path }) => this.#module(path))
    if (modules.every((module) => contextModules.includes(module))) return "context"
    return modules.every((module) => module === null) ? "platform" : "unknown"
  }

  /** Returns the module of fw that a file is, `""` for the project's own file, null for any other. */
  #module(path: string): TypeModule | "" | null {
    return this.#program.isOwn(path) ? "" : this.#program.frameworkModule(path)
  }

  /**
   * Requests everything in some files that reading their functions will need.
   *
   * @returns the types that may contain responses and bodies.
   */
  prepare(sources: readonly Node[]): TypesOfCalls {
    const fresh = sources.filter((source) => !this.#read.has(source))
    const calls: CallExpression[] = []
    const others: Node[] = []
    for (const source of fresh) {
      this.#read.add(source)
      this.#collect(source, calls, others)
    }
    const { checker } = this.#program
    const names = calls.flatMap((call) => nameOf(call) ?? [])
    if (names.length > 0) checker.getSymbolAtLocation(names)
    const origins = calls.map((call) => this.of(call))
    const context: Node[] = calls.filter((_, i) => origins[i] === "context")
    const asked = calls.filter((_, i) => origins[i] === "unknown")
    const nodes = [...new Set([...context, ...others])]
    if (nodes.length > 0) checker.getTypeAtLocation(nodes)
    this.#program.ahead(asked.map((call) => () => checker.getResolvedSignature(call)))
    const typesOf = (list: readonly Node[]) => list.flatMap((node) => checker.getTypeAtLocation(node) ?? [])
    const isBinding = (node: Node) => isBinder(nameOf(node as CallExpression)?.getText() ?? "")
    const bodies = new Set(context.filter(isBinding))
    return { answers: typesOf(nodes.filter((node) => !bodies.has(node))), bodies: typesOf([...bodies]) }
  }

  #collect(node: Node, calls: CallExpression[], others: Node[]): void {
    const { kinds } = this.#program
    if (node.kind === kinds.InterfaceDeclaration || node.kind === kinds.ImportDeclaration) return
    if (node.kind >= kinds.FirstTypeNode && node.kind <= kinds.LastTypeNode) return
    const { expression } = node as Parts
    if (node.kind === kinds.CallExpression || node.kind === kinds.NewExpression)
      calls.push(node as CallExpression)
    else if (node.kind === kinds.ThrowStatement && expression) others.push(expression)
    else if (node.kind === kinds.ReturnStatement && expression && mayAnswer(expression, this.#program))
      others.push(expression)
    node.forEachChild((child) => this.#collect(child, calls, others))
  }
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
function nameOf({ expression }: CallExpression): Node | undefined {
  return (expression as Parts).name ?? (("text" in expression && expression) || undefined)
}
