/**
 * Finds the functions in the main file that its own code calls. The routes that such a function registers belong to
 * the group from which it is called.
 */
import type { CallExpression, Node, SourceFile, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { findTarget } from "./functions.ts"

/** The called functions, and the names of the apps. */
export class CalledFunctions {
  /** Functions that the file calls or passes to `group()`. */
  readonly nodes = new Set<Node>()
  /** Names of variables that contain an app: `const app = new App()`. */
  readonly appNames = new Set<string>()
  /** The name of the default export. */
  defaultExport: string | undefined
  /** The prefixes of mounted apps, by the name of the app: `app.mountHandler("/admin", admin.fetch)`. */
  readonly mountPrefixes = new Map<string, Node>()
  readonly #program: TypeProgram
  /** The files that were visited. */
  readonly #files = new Set<SourceFile>()

  /** Reads the main file. */
  constructor(file: SourceFile, program: TypeProgram) {
    this.#program = program
    this.#files.add(file)
    this.#visit(file, true)
  }

  /** Returns the function of another module that a call runs, also if it is imported under another name. */
  findImported(call: CallExpression): Node | undefined {
    const target = this.#findFunction(call.expression)
    const file = target?.getSourceFile()
    if (!file || file === call.getSourceFile()) return undefined
    if (!this.#files.has(file)) this.#visit(file, false)
    this.#files.add(file)
    return target
  }

  /** Returns the function that a call runs, if the same file declares it. */
  findCalled({ expression }: CallExpression): Node | undefined {
    return readIdentifier(expression, this.#program) === undefined ? undefined : this.#findOwnFunction(expression)
  }

  /** Returns the function to which an expression leads. */
  #findFunction(node: Node): Node | undefined {
    const target = findTarget(node, this.#program)
    return target && isFunction(target) ? target : undefined
  }

  /** Returns the function to which an expression leads, if the same file declares it. */
  #findOwnFunction(node: Node): Node | undefined {
    const target = this.#findFunction(node)
    return target?.getSourceFile() === node.getSourceFile() ? target : undefined
  }

  #visit(node: Node, isMain: boolean): void {
    const { kinds } = this.#program
    if (isMain) this.#recordApp(node)
    if (node.kind === kinds.CallExpression) {
      const found = this.findCalled(node as CallExpression) ?? this.#findGroupFunction(node as CallExpression)
      if (found) this.nodes.add(found)
    }
    node.forEachChild((child) => this.#visit(child, isMain))
  }

  #recordApp(node: Node): void {
    const { kinds } = this.#program
    const { name, initializer } = node as SyntaxNode
    const createdClass = initializer?.kind === kinds.NewExpression ? (initializer as SyntaxNode).expression : undefined
    if (name?.text && createdClass?.getText() === "App") this.appNames.add(name.text)
    if (node.kind === kinds.ExportAssignment)
      this.defaultExport = readIdentifier((node as SyntaxNode).expression, this.#program)
    if (node.kind === kinds.ExportSpecifier && name?.text === "default")
      this.defaultExport = (node as SyntaxNode).propertyName?.text
    if (node.kind === kinds.CallExpression) this.#recordMount(node as CallExpression)
  }

  #recordMount({ expression, arguments: [prefix, handler] }: CallExpression): void {
    const isMount = /^mount(?:Handler)?$/.test((expression as SyntaxNode).name?.text ?? "")
    const { name, expression: app } = (handler ?? {}) as Partial<SyntaxNode>
    const appName = isMount && name?.text === "fetch" ? readIdentifier(app, this.#program) : undefined
    if (appName && prefix) this.mountPrefixes.set(appName, prefix)
  }

  /** Returns the function that registers the routes of a group. */
  #findGroupFunction({ expression, arguments: [, register] }: CallExpression): Node | undefined {
    if (!register || (expression as SyntaxNode).name?.text !== "group") return undefined
    return this.#findOwnFunction(register)
  }
}

/** Returns the text of an identifier; undefined for any other expression. */
export function readIdentifier(node: Node | undefined, { kinds }: TypeProgram): string | undefined {
  return node?.kind === kinds.Identifier ? (node as SyntaxNode).text : undefined
}

/** Returns the names of a function's parameters, in order. */
export function listParameterNames(node: Node): ReadonlyArray<string | undefined> {
  return ((node as SyntaxNode).parameters ?? []).map(({ name }) => name?.text)
}

function isFunction(node: Node): boolean {
  const { body, parameters } = node as SyntaxNode
  return body !== undefined && parameters !== undefined
}
