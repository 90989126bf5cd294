/** The targets of a file's calls, requested for all of them at once. */
import type { TypeModule } from "../../system/framework-files.ts"
import type { CallExpression, Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import type { TypesOfCalls } from "./ask-ahead.ts"
import { namesHandedTo } from "./callees.ts"
import { hasTypedResult, isBinder } from "./calls.ts"

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

/** Number of files whose calls are asked about in one question. */
const filesOfPart = 20

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
    const { checker } = this.#program
    const parts: CallsOfPart[] = []
    this.#overlapping(
      this.#parts(sources),
      ({ names }) => names.length > 0 && checker.getSymbolAtLocation(names),
      (part) => parts.push(this.#sorted(part)),
    )
    const types = { answers: [] as Type[], bodies: [] as Type[] }
    this.#overlapping(
      parts,
      ({ nodes }) => nodes.length > 0 && checker.getTypeAtLocation(nodes),
      ({ nodes, binding }) => {
        for (const node of nodes) {
          const type = checker.getTypeAtLocation(node)
          if (type) types[binding.has(node) ? "bodies" : "answers"].push(type)
        }
      },
    )
    this.#prepareUnknown(parts.flatMap(({ unknown }) => unknown))
    return types
  }

  /** Collects the calls of files that were not read yet, of a few files at a time. */
  *#parts(sources: readonly Node[]): Generator<Collected> {
    const fresh = sources.filter((source) => !this.#read.has(source))
    for (let at = 0; at < fresh.length; at += filesOfPart) {
      const calls: CallExpression[] = []
      const others: Node[] = []
      for (const source of fresh.slice(at, at + filesOfPart)) {
        this.#read.add(source)
        this.#collect(source, calls, others)
      }
      yield { calls, others, names: calls.flatMap((call) => nameOf(call) ?? []) }
    }
  }

  /** Asks one question for each part. While TypeScript finds the answer for a part, the one before it is used. */
  #overlapping<Part>(parts: Iterable<Part>, ask: (part: Part) => unknown, use: (part: Part) => void): void {
    const waiting: Part[] = []
    const finish = () => {
      for (const part of waiting.splice(0)) {
        ask(part)
        use(part)
      }
    }
    for (const part of parts) {
      this.#program.begin(() => ask(part))
      finish()
      waiting.push(part)
    }
    finish()
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

  /** Requests the targets of calls whose name does not show them, and the functions that are handed to them. */
  #prepareUnknown(calls: readonly CallExpression[]): void {
    const { ahead, checker } = this.#program
    ahead(calls.map((call) => () => checker.getResolvedSignature(call)))
    const handed = calls.flatMap((call) => {
      const path = checker.getResolvedSignature(call)?.declaration?.path
      return path === undefined ? [] : namesHandedTo(call, path, this.#program)
    })
    if (handed.length > 0) checker.getSymbolAtLocation(handed)
  }

  #collect(source: Node, calls: CallExpression[], others: Node[]): void {
    const { kinds } = this.#program
    const visit = (node: Node): void => {
      // Each property is read from TypeScript's bytes, so none is read twice, or without need.
      const { kind } = node
      if (kind <= kinds.LastToken || kind === kinds.InterfaceDeclaration || kind === kinds.ImportDeclaration)
        return
      if (kind >= kinds.FirstTypeNode && kind <= kinds.LastTypeNode) return
      if (kind === kinds.CallExpression || kind === kinds.NewExpression) calls.push(node as CallExpression)
      else if (kind === kinds.ThrowStatement || kind === kinds.ReturnStatement) {
        const { expression } = node as Parts
        if (expression && (kind === kinds.ThrowStatement || mayAnswer(expression, this.#program)))
          others.push(expression)
      }
      node.forEachChild(visit)
    }
    visit(source)
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
