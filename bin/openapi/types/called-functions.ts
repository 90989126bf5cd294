/** Functions of the main file that its own code calls: what they register belongs to the group of the call. */
import type { CallExpression, Node, SourceFile, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { targetOf } from "./functions.ts"

/** The functions, and the names of apps. */
export class CalledFunctions {
  /** Functions that the file calls, or passes to `group()`. */
  readonly nodes = new Set<Node>()
  /** Names of variables that are an app: `const app = new App()`. */
  readonly apps = new Set<string>()
  /** The name of the default export. */
  exported: string | undefined
  /** The prefixes of mounted apps, by their names: `app.mountHandler("/admin", admin.fetch)`. */
  readonly mounted = new Map<string, Node>()
  readonly #program: TypeProgram
  /** By file and name; undefined for several of one name. */
  readonly #named = new Map<SourceFile, Map<string, Node | undefined>>()

  readonly #files = new Set<SourceFile>()

  /** Reads the main file. */
  constructor(file: SourceFile, program: TypeProgram) {
    this.#program = program
    this.#files.add(file)
    this.#find(file, true)
  }

  /** Returns the function of another module that a call runs, also by an imported name. */
  imported(call: CallExpression): Node | undefined {
    const target = targetOf(call.expression, this.#program)
    const file = target?.getSourceFile()
    if (!target || !file || !isFunction(target) || file === call.getSourceFile()) return undefined
    if (!this.#files.has(file)) this.#find(file, false)
    this.#files.add(file)
    return target
  }

  /** Returns the function that a call by name runs, if the file of the call declares it. */
  of(call: CallExpression): Node | undefined {
    const name = nameOf(call.expression, this.#program)
    return name === undefined ? undefined : this.#functionsOf(call.getSourceFile()).get(name)
  }

  #find(node: Node, isMain: boolean): void {
    const { kinds } = this.#program
    if (isMain) this.#findApp(node)
    if (node.kind === kinds.CallExpression) {
      const found = this.of(node as CallExpression) ?? this.#filler(node as CallExpression)
      if (found) this.nodes.add(found)
    }
    node.forEachChild((child) => this.#find(child, isMain))
  }

  #findApp(node: Node): void {
    const { kinds } = this.#program
    const { name, initializer } = node as SyntaxNode
    const made =
      initializer?.kind === kinds.NewExpression ? (initializer as SyntaxNode).expression : undefined
    if (name?.text && made?.getText() === "App") this.apps.add(name.text)
    if (node.kind === kinds.ExportAssignment)
      this.exported = nameOf((node as SyntaxNode).expression, this.#program)
    if (node.kind === kinds.ExportSpecifier && name?.text === "default")
      this.exported = (node as SyntaxNode).propertyName?.text
    if (node.kind === kinds.CallExpression) this.#findMount(node as CallExpression)
  }

  #findMount({ expression, arguments: [prefix, handler] }: CallExpression): void {
    const isMount = /^mount(?:Handler)?$/.test((expression as SyntaxNode).name?.text ?? "")
    const { name, expression: app } = (handler ?? {}) as Partial<SyntaxNode>
    const mounted = isMount && name?.text === "fetch" ? nameOf(app, this.#program) : undefined
    if (mounted && prefix) this.mounted.set(mounted, prefix)
  }

  /** Returns the function that fills a group. */
  #filler({ expression, arguments: [, fill] }: CallExpression): Node | undefined {
    if (!fill || (expression as SyntaxNode).name?.text !== "group") return undefined
    const target = targetOf(fill, this.#program)
    return target && isFunction(target) && target.getSourceFile() === fill.getSourceFile()
      ? target
      : undefined
  }

  #functionsOf(file: SourceFile): Map<string, Node | undefined> {
    const known = this.#named.get(file)
    if (known) return known
    const found = new Map<string, Node | undefined>()
    const collect = (node: Node) => {
      const { name, initializer = node } = node as SyntaxNode
      if (name?.text && node.kind !== this.#program.kinds.PropertyAssignment && isFunction(initializer))
        found.set(name.text, found.has(name.text) ? undefined : initializer)
      node.forEachChild(collect)
    }
    collect(file)
    this.#named.set(file, found)
    return found
  }
}

/** Returns the text of a name; undefined for any other expression. */
export function nameOf(node: Node | undefined, { kinds }: TypeProgram): string | undefined {
  return node?.kind === kinds.Identifier ? (node as SyntaxNode).text : undefined
}

/** Returns the names of a function's parameters, by their positions. */
export function parameterNames(node: Node): ReadonlyArray<string | undefined> {
  return ((node as SyntaxNode).parameters ?? []).map(({ name }) => name?.text)
}

function isFunction(node: Node): boolean {
  return (node as Node & { body?: Node }).body !== undefined && (node as SyntaxNode).parameters !== undefined
}
