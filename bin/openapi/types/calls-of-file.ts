/** The targets of a file's calls, requested for all of them at once. */
import type { TypeModule } from "../../system/framework-files.ts"
import { Descendants } from "../../tools/typescript/descendants.ts"
import type { CallExpression, Node, SourceFile, Type, TypeProgram } from "../../tools/typescript/program.ts"
import type { TypesOfCalls } from "./ask-ahead.ts"
import { namesHandedTo } from "./callees.ts"
import { hasTypedResult, isBinder } from "./calls.ts"
import type { Steps } from "./steps.ts"

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

/** The calls of some files. */
interface Collected {
  readonly calls: readonly CallExpression[]
  /** Other expressions that may contain responses. */
  readonly others: readonly Node[]
  /** The names of the called functions. */
  readonly names: readonly Node[]
}

/** The calls of some files, sorted by their targets. */
interface CallsOfPart {
  /** Expressions whose types are needed. */
  readonly nodes: readonly Node[]
  /** Those of them that bind a body. */
  readonly binding: ReadonlySet<Node>
  /** Calls whose name does not show their target. */
  readonly unknown: readonly CallExpression[]
}

/** Finds the targets of calls. */
export class CallOrigins {
  readonly #program: TypeProgram
  readonly #syntax: Descendants
  readonly #read = new Set<Node>()

  constructor(program: TypeProgram, syntax: Descendants) {
    this.#program = program
    this.#syntax = syntax
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
  *prepare(sources: readonly SourceFile[]): Steps<TypesOfCalls> {
    const types = { answers: [] as Type[], bodies: [] as Type[] }
    const fresh = sources.filter((source) => !this.#read.has(source))
    if (fresh.length === 0) return types
    const { checker } = this.#program
    const collected = this.#collected(fresh)
    const { names } = collected
    if (names.length > 0) yield [() => checker.getSymbolAtLocation(names)]
    const { nodes, binding, unknown } = this.#sorted(collected)
    const signatures = unknown.map((call) => () => checker.getResolvedSignature(call))
    if (nodes.length > 0) signatures.unshift((() => checker.getTypeAtLocation(nodes)) as never)
    yield signatures
    for (const node of nodes) {
      const type = checker.getTypeAtLocation(node)
      if (type) types[binding.has(node) ? "bodies" : "answers"].push(type)
    }
    const handed = unknown.flatMap((call) => {
      const path = checker.getResolvedSignature(call)?.declaration?.path
      return path === undefined ? [] : namesHandedTo(call, path, this.#program)
    })
    if (handed.length > 0) yield [() => checker.getSymbolAtLocation(handed)]
    return types
  }

  /** Collects the calls of files. */
  #collected(sources: readonly SourceFile[]): Collected {
    const calls: CallExpression[] = []
    const others: Node[] = []
    for (const source of sources) {
      this.#read.add(source)
      this.#collect(source, calls, others)
    }
    return { calls, others, names: calls.flatMap((call) => nameOf(call) ?? []) }
  }

  #sorted({ calls, others }: Collected): CallsOfPart {
    const origins = calls.map((call) => this.of(call))
    const wordOf = (call: Node) => nameOf(call as CallExpression)?.getText() ?? ""
    const context: Node[] = calls.filter(
      (call, i) => origins[i] === "context" && hasTypedResult(wordOf(call)),
    )
    const isBinding = (node: Node) => isBinder(wordOf(node))
    return {
      nodes: [...new Set([...context, ...others])],
      binding: new Set(context.filter(isBinding)),
      unknown: calls.filter((_, i) => origins[i] === "unknown"),
    }
  }

  #collect(source: SourceFile, calls: CallExpression[], others: Node[]): void {
    const { kinds } = this.#program
    for (const node of this.#syntax.all(source)) {
      // Read once, because each property is read from TypeScript's bytes.
      const { kind } = node
      if (kind === kinds.CallExpression || kind === kinds.NewExpression) calls.push(node as CallExpression)
      else if (kind === kinds.ThrowStatement || kind === kinds.ReturnStatement) {
        const { expression } = node as Parts
        if (expression && (kind === kinds.ThrowStatement || mayAnswer(expression, this.#program)))
          others.push(expression)
      }
    }
  }
}

/** Finds the nodes in which facts are read, and those that determine whether they are reached. */
export function syntaxOfFacts({ kinds }: TypeProgram): Descendants {
  const wanted = [
    kinds.CallExpression,
    kinds.NewExpression,
    kinds.ThrowStatement,
    kinds.ReturnStatement,
    kinds.ArrowFunction,
    kinds.TryStatement,
    kinds.IfStatement,
    kinds.Block,
  ]
  return new Descendants(wanted, kinds)
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
