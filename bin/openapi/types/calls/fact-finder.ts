/**
 * Finds the inputs and responses of a function in its source, and in the source of the project's functions that it
 * calls.
 */

import { contextModules } from "../../../system/framework-files.ts"
import type { CallExpression, Node, Signature, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import type { Facts, SourceLocation, Warning } from "../../document/model.ts"
import { isPlainResponse, readAnswers } from "../answers.ts"
import { findStatusArgument } from "../errors/error-statuses.ts"
import { applyCallTypes, markOpenStatuses, resolveStatusesForCall, settleOpenAnswers } from "../errors/open-statuses.ts"
import { InputTypes } from "../input-types.ts"
import { readDeclaredFacts } from "../main/declared-facts.ts"
import { Shapes } from "../shapes.ts"
import { isOpenBody, resolveBodyForCall, settleOpenBodies } from "./bodies.ts"
import { type CallReader, warnStatus } from "./call-reader.ts"
import { findCallee, findPassedHandlers, readCalledName } from "./callees.ts"
import { applyMediaChanges, readMediaChange } from "./content-types.ts"
import { hasTypedResult, readContextCall } from "./context-calls.ts"
import {
  addFacts,
  createFoundFacts,
  type FoundAnswer,
  type FoundFacts,
  limitToMethods,
  type SchemaPlace,
  type Scope,
} from "./found-facts.ts"
import {
  alwaysExits,
  findCall,
  findImplementation,
  listFactKinds,
  mayAnswer,
  throwsAgain,
  visitNearest,
} from "./functions.ts"
import { filterMethods } from "./methods.ts"
import { readPlatformCall, readProxyCall } from "./platform-calls.ts"

/** Collects facts. Each function is read once. */
export class FactFinder implements CallReader {
  readonly program: TypeProgram
  readonly shapes: Shapes
  readonly inputs: InputTypes
  /** Schemas that validate bodies, by id. */
  readonly schemas = new Map<string, SchemaPlace>()
  readonly #factsByNode = new Map<Node, FoundFacts>()
  readonly #factKinds: ReadonlySet<number>
  /** The warnings by position and message. */
  readonly #warnings = new Map<string, Warning>()

  constructor(program: TypeProgram) {
    this.program = program
    this.shapes = new Shapes(program)
    this.inputs = new InputTypes(program)
    this.#factKinds = listFactKinds(program)
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values(), ...this.shapes.warnings]
  }

  readonly warn = (node: Node, message: string, fix: string): void => {
    const at = this.program.findPlace(node)
    this.#warnings.set(`${at.file}:${at.line}:${message}`, { message, fix, at })
  }

  /** Calls a function. If it throws, the error becomes a warning, and reading continues. */
  readOrWarn<T>(at: SourceLocation, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      const message = `TypeScript could not determine the types here: ${(error as Error).message}`
      const fix = "Run tsc --noEmit. If that finds no errors, this is a bug in fw: please report it."
      this.#warnings.set(`${at.file}:${at.line}`, { message, fix, at })
      return undefined
    }
  }

  /** Calls a function and drops the warnings that it causes. */
  readQuietly<T>(read: () => T): T {
    const known = new Set(this.#warnings.keys())
    const result = read()
    for (const key of this.#warnings.keys()) if (!known.has(key)) this.#warnings.delete(key)
    return result
  }

  readonly addSchema = (node: Node, path: readonly string[]): string => {
    const { file, line } = this.program.findPlace(node)
    const expression = node.getText() + path.map((key) => `[${JSON.stringify(key)}]`).join("")
    const id = `${file}:${line}:${expression}`
    this.schemas.set(id, { file, expression })
    return id
  }

  /** Returns the facts of a handler or middleware: a function, or an expression that returns one. */
  readFacts(node: Node): Facts {
    const { reads, bodies, answers, security, headers } = this.collect(node)
    return {
      reads,
      bodies: settleOpenBodies(bodies, this).map(({ at: _, open: __, ...body }) => body),
      answers: settleOpenAnswers(answers, this).map(({ generic: _, call: __, ...answer }) => answer),
      security,
      headers,
    }
  }

  /** Returns the facts of a node and of the functions that it calls. */
  collect(node: Node): FoundFacts {
    const known = this.#factsByNode.get(node)
    if (known) return known
    const found = createFoundFacts()
    // A function that calls itself adds no facts.
    this.#factsByNode.set(node, found)
    const { typeParameters, parent } = node as SyntaxNode
    const owner = parent as SyntaxNode | undefined
    const isGeneric = (typeParameters?.length ?? 0) + (owner?.typeParameters?.length ?? 0) > 0
    const scope = { isGeneric, isCaught: false, methods: null }
    if (node.kind === this.program.kinds.CallExpression || !(node as SyntaxNode).body) this.#visit(node, found, scope)
    else this.#visitParts(node, found, scope)
    if ((node as SyntaxNode).body) this.#readReturnedAnswers((node as SyntaxNode).body as Node, found, scope)
    applyMediaChanges(found, this.program)
    return found
  }

  #visit(node: Node, found: FoundFacts, scope: Scope): void {
    const { kinds } = this.program
    if (node.kind === kinds.TryStatement) this.#readTry(node as SyntaxNode, found, scope)
    else if (node.kind === kinds.IfStatement) this.#readIf(node as SyntaxNode, found, scope)
    else if (node.kind === kinds.Block) this.#readBlock(node as SyntaxNode, found, scope)
    else this.#readExpression(node, found, scope)
  }

  #readExpression(node: Node, found: FoundFacts, scope: Scope): void {
    const { kinds } = this.program
    if (node.kind === kinds.CallExpression) this.#readCall(node as CallExpression, found, scope)
    else if (node.kind === kinds.NewExpression) this.#readCall(node as CallExpression, found, scope)
    else if (node.kind === kinds.ThrowStatement && !scope.isCaught)
      this.#addErrors((node as SyntaxNode).expression as Node, found, scope)
    else if (node.kind === kinds.ReturnStatement) {
      const { expression } = node as SyntaxNode
      if (expression) this.#readReturnedAnswers(expression, found, scope)
    } else if (node.kind === kinds.ArrowFunction)
      this.#readReturnedAnswers((node as SyntaxNode).body as Node, found, scope)
    this.#visitParts(node, found, scope)
  }

  #visitParts(node: Node, found: FoundFacts, scope: Scope): void {
    visitNearest(node, this.#factKinds, (part) => this.#visit(part, found, scope))
  }

  /** Reads an `if`. If it has a condition on `c.method`, its branches apply only to some methods. */
  #readIf({ expression, thenStatement, elseStatement }: SyntaxNode, found: FoundFacts, scope: Scope): Scope {
    if (!expression || !thenStatement) return scope
    this.#visit(expression, found, scope)
    const [passed, failed] = [true, false].map((wanted) => {
      return { ...scope, methods: filterMethods(expression, wanted, scope.methods, this.program) }
    }) as [Scope, Scope]
    this.#visit(thenStatement, found, passed)
    if (elseStatement) this.#visit(elseStatement, found, failed)
    return alwaysExits(thenStatement, this.program) && !elseStatement ? failed : scope
  }

  #readBlock({ statements = [] }: SyntaxNode, found: FoundFacts, scope: Scope): void {
    let rest = scope
    for (const statement of statements) {
      if (statement.kind === this.program.kinds.IfStatement) rest = this.#readIf(statement, found, rest)
      else this.#visit(statement, found, rest)
    }
  }

  /** Reads a `try`. Errors inside it count only if there is no catch clause, or if that throws them again. */
  #readTry(node: SyntaxNode, found: FoundFacts, scope: Scope): void {
    const { tryBlock, catchClause, finallyBlock } = node
    const name = catchClause?.variableDeclaration?.name?.getText()
    const isRethrown = !catchClause?.block || (name !== undefined && throwsAgain(catchClause.block, name, this.program))
    if (tryBlock) this.#visit(tryBlock, found, isRethrown ? scope : { ...scope, isCaught: true })
    for (const block of [catchClause?.block, finallyBlock]) if (block) this.#visit(block, found, scope)
  }

  /** Adds an error that is thrown or that rejects a promise. */
  #addErrors(expression: Node, found: FoundFacts, scope: Scope): void {
    const errors = this.#readAnswers(expression).filter(({ error }) => error)
    const known = errors.filter(({ status, open }) => status !== null || open)
    const isCaught = expression.kind === this.program.kinds.Identifier
    // A caught error that is thrown again was already reported where it was thrown first. An error that another
    // function returns is reported in that function.
    const isFactoryCall = expression.kind === this.program.kinds.CallExpression && this.#isErrorFactory(expression)
    if (!isCaught && !isFactoryCall && known.length < errors.length) warnStatus(expression, this)
    found.answers.push(...limitToMethods(scope, isFactoryCall ? known : errors))
  }

  /** Returns true if a call returns errors whose statuses a function of the project decides. */
  #isErrorFactory(call: Node): boolean {
    const signature = this.program.checker.getResolvedSignature(call)
    const callee = signature && findCallee(call as CallExpression, signature, this.program)
    if (!callee) return false
    return this.collect(callee).answers.some(({ error, status, open }) => error && (status !== null || open))
  }

  /** Returns the responses in the type of an expression. */
  #readAnswers(expression: Node): FoundAnswer[] {
    const { program, shapes } = this
    const type = program.checker.getTypeAtLocation(expression)
    if (!type) return []
    const answers = readAnswers(type, expression, shapes, expression)
    return markOpenStatuses(answers, findStatusArgument(type, program, expression), expression, program)
  }

  /** Adds returned errors, and responses that a function of a package returns. */
  #readReturnedAnswers(expression: Node, found: FoundFacts, scope: Scope): void {
    const { checker } = this.program
    if (!mayAnswer(expression, this.program)) return
    const call = findCall(expression, this.program)
    if (call && this.#isContextCall(call)) return
    const type = checker.getTypeAtLocation(expression)
    if (!type) return
    const isFromPackage = call !== undefined && !this.#isReadElsewhere(call)
    const answers = this.#readAnswers(expression)
    const relevantAnswers = answers.filter(({ error }) => error || isFromPackage)
    const isUnknown = isFromPackage && answers.length === 0 && isPlainResponse(type, this.program) && !scope.isGeneric
    found.answers.push(...limitToMethods(scope, isUnknown ? [{ status: null, media: "*/*" }] : relevantAnswers))
  }

  /**
   * Returns true if the responses of a call are read elsewhere: it is a call of the context, of the project or of
   * `next`, or it creates a Response.
   */
  #isReadElsewhere(call: CallExpression): boolean {
    const declared = this.program.checker.getResolvedSignature(call)?.declaration
    if (!declared || /^Response\b/.test(call.getText())) return true
    const isOwn =
      this.program.isOwn(declared.path) && findImplementation(this.program.resolveNode(declared)) !== undefined
    return isOwn || this.program.findFrameworkModule(declared.path) !== null
  }

  #isContextCall(call: CallExpression): boolean {
    const path = this.program.checker.getResolvedSignature(call)?.declaration?.path
    return path !== undefined && contextModules.includes(this.program.findFrameworkModule(path))
  }

  #readCall(call: CallExpression, found: FoundFacts, scope: Scope): void {
    const { program } = this
    const name = readCalledName(call.expression) ?? ""
    const signature = program.checker.getResolvedSignature(call)
    const path = signature?.declaration?.path
    if (!signature || path === undefined) return
    const module = program.findFrameworkModule(path)
    const isOfContext = contextModules.includes(module)
    const previousCount = found.answers.length
    if (isOfContext) this.#readContextCall(name, call, found, scope)
    else if (module === "proxy") readProxyCall(call, name, found, this)
    else if (program.isOwn(path) || module === "types") this.#readCallee(call, signature, found, scope)
    else this.#readPlatformCall(name, call, found, scope)
    const handlers = isOfContext ? [] : findPassedHandlers(call, path, program)
    for (const handler of handlers) addFacts(this.collect(handler), found, scope)
    for (const answer of found.answers.splice(previousCount)) found.answers.push({ ...answer, call })
    readMediaChange(name, call, found, program)
  }

  #readContextCall(name: string, call: CallExpression, found: FoundFacts, scope: Scope): void {
    const returned = hasTypedResult(name) ? this.program.checker.getTypeAtLocation(call) : undefined
    readContextCall(name, call, returned, found, scope, this)
  }

  #readPlatformCall(name: string, call: CallExpression, found: FoundFacts, scope: Scope): void {
    const [reason] = call.arguments ?? []
    if (name !== "reject" || !reason) readPlatformCall(call, name, found, this)
    else if (!scope.isCaught) this.#addErrors(reason, found, scope)
  }

  /**
   * Adds the facts of the function that a call runs. A middleware around a handler may also declare security
   * and answers in its type.
   */
  #readCallee(call: CallExpression, signature: Signature, found: FoundFacts, scope: Scope): void {
    const callee = findCallee(call, signature, this.program)
    if (callee) this.#addFactsOf(callee, call, signature, found, scope)
    const { path = "" } = signature.declaration ?? {}
    if (this.program.findFrameworkModule(path) !== "types") return
    const { security, answers } = readDeclaredFacts(call.expression, this)
    found.security.push(...security)
    found.answers.push(...limitToMethods(scope, answers))
  }

  /** Adds the facts of a function of the project, with the types that its type parameters have in this call. */
  #addFactsOf(target: Node, call: CallExpression, signature: Signature, found: FoundFacts, scope: Scope): void {
    const inner = this.collect(target)
    found.reads.push(...inner.reads)
    found.security.push(...inner.security)
    found.headers.push(...limitToMethods(scope, inner.headers))
    for (const body of inner.bodies)
      found.bodies.push(isOpenBody(body) ? resolveBodyForCall(body, call, signature, target, scope, this) : body)
    const reached = inner.answers.filter(({ error }) => !(error && scope.isCaught))
    const answers = applyCallTypes(reached, call, signature, this)
    found.answers.push(...limitToMethods(scope, resolveStatusesForCall(answers, call, target, this.program)))
  }
}
