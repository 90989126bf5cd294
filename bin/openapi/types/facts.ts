/** Reads the source of a function, and of the project's functions that it calls, for its inputs and responses. */
import type { Facts, Warning } from "../../../lib/openapi/model.ts"
import type { CallExpression, Node, Signature, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { answersOf, isPlainResponse } from "./answers.ts"
import { bodyOfCall, closedBodies, isOpen } from "./bodies.ts"
import { type CallReader, warnStatus } from "./call-reader.ts"
import { calledName, calleesOf, handedTo } from "./callees.ts"
import { hasTypedResult, isContextMethod, readContextCall } from "./calls.ts"
import { contextModules, eachNearest, kindsOfFacts, mayAnswer, originOf } from "./calls-of-file.ts"
import { readSetMedia, setMedias } from "./content-types.ts"
import { statusArgument } from "./error-statuses.ts"
import {
  addFound,
  answersIn,
  type Found,
  type FoundAnswer,
  nothingFound,
  type SchemaPlace,
  type Scope,
} from "./found.ts"
import {
  calledIn,
  type IfNode,
  implementationOf,
  isUntypedContext,
  leaves,
  throwsAgain,
} from "./functions.ts"
import { InputTypes } from "./input-types.ts"
import { declaredMarks } from "./marks.ts"
import { reach } from "./methods.ts"
import { answersOfCall, closedAnswers, opened, typedByCall } from "./open-statuses.ts"
import { readPlatformCall, readProxyCall } from "./platform-calls.ts"
import { isRaw, withoutRaw } from "./raw-bodies.ts"
import { Shapes } from "./shapes.ts"
import { Warnings } from "./warnings.ts"

/** Collects facts, once per function. */
export class FactFinder extends Warnings implements CallReader {
  readonly shapes: Shapes
  readonly inputs: InputTypes
  /** Schemas that validate bodies, by id. */
  readonly schemas = new Map<string, SchemaPlace>()
  readonly #found = new Map<Node, Found>()
  readonly #kinds: ReadonlySet<number>

  constructor(program: TypeProgram) {
    super(program)
    this.shapes = new Shapes(program)
    this.inputs = new InputTypes(program)
    this.#kinds = kindsOfFacts(program)
  }

  get warnings(): readonly Warning[] {
    return [...this.given, ...this.shapes.warnings]
  }

  readonly schema = (node: Node, path: readonly string[]): string => {
    const { file, line } = this.program.place(node)
    const expression = node.getText() + path.map((key) => `[${JSON.stringify(key)}]`).join("")
    const id = `${file}:${line}:${expression}`
    this.schemas.set(id, { file, expression })
    return id
  }

  /** Returns the facts of a handler or a middleware: a function, or an expression that returns one. */
  facts(node: Node): Facts {
    const { reads, bodies, answers, security, headers } = this.of(node)
    return {
      reads,
      bodies: closedBodies(withoutRaw(bodies, this.program), this).map(
        ({ at: _, open: __, ...body }) => body,
      ),
      answers: closedAnswers(answers, this).map(({ generic: _, made: __, ...answer }) => answer),
      security,
      headers,
    }
  }

  /** Returns the facts of a node and of the functions that it calls. */
  of(node: Node): Found {
    const known = this.#found.get(node)
    if (known) return known
    const found = nothingFound()
    // A function that calls itself adds nothing.
    this.#found.set(node, found)
    const { typeParameters, parent } = node as SyntaxNode
    const owner = parent as SyntaxNode | undefined
    const generic = (typeParameters?.length ?? 0) + (owner?.typeParameters?.length ?? 0) > 0
    const scope = { generic, caught: false, methods: null }
    if (node.kind === this.program.kinds.CallExpression || !(node as SyntaxNode).body)
      this.#visit(node, found, scope)
    else this.#parts(node, found, scope)
    if ((node as SyntaxNode).body) this.#returned((node as SyntaxNode).body as Node, found, scope)
    setMedias(found, this.program)
    return found
  }

  #visit(node: Node, found: Found, scope: Scope): void {
    const { kinds } = this.program
    if (node.kind === kinds.TryStatement) this.#try(node, found, scope)
    else if (node.kind === kinds.IfStatement) this.#if(node as IfNode, found, scope)
    else if (node.kind === kinds.Block) this.#block(node as SyntaxNode, found, scope)
    else this.#expression(node, found, scope)
  }

  #expression(node: Node, found: Found, scope: Scope): void {
    const { kinds } = this.program
    if (node.kind === kinds.CallExpression) this.#call(node as CallExpression, found, scope)
    else if (node.kind === kinds.NewExpression) this.#call(node as CallExpression, found, scope)
    else if (node.kind === kinds.ThrowStatement && !scope.caught) this.#thrown(node, found, scope)
    else if (node.kind === kinds.ReturnStatement) {
      const { expression } = node as Node & { expression?: Node }
      if (expression) this.#returned(expression, found, scope)
    } else if (node.kind === kinds.ArrowFunction)
      this.#returned((node as SyntaxNode).body as Node, found, scope)
    this.#parts(node, found, scope)
  }

  #parts(node: Node, found: Found, scope: Scope): void {
    eachNearest(node, this.#kinds, (part) => this.#visit(part, found, scope))
  }

  /** Code behind a condition on `c.method` only concerns the methods that satisfy it. */
  #if({ expression, thenStatement, elseStatement }: IfNode, found: Found, scope: Scope): Scope {
    this.#visit(expression, found, scope)
    const [passed, failed] = [true, false].map((wanted) => {
      return { ...scope, methods: reach(expression, wanted, scope.methods, this.program) }
    }) as [Scope, Scope]
    this.#visit(thenStatement, found, passed)
    if (elseStatement) this.#visit(elseStatement, found, failed)
    return leaves(thenStatement, this.program) && !elseStatement ? failed : scope
  }

  #block({ statements = [] }: SyntaxNode, found: Found, scope: Scope): void {
    let rest = scope
    for (const statement of statements) {
      if (statement.kind === this.program.kinds.IfStatement) rest = this.#if(statement as IfNode, found, rest)
      else this.#visit(statement, found, rest)
    }
  }

  /** Errors in a block with a catch only leave it if they are thrown again. */
  #try(node: Node, found: Found, scope: Scope): void {
    const { tryBlock, catchClause, finallyBlock } = node as Node & {
      tryBlock: Node
      catchClause?: Node & { variableDeclaration?: { name: Node }; block: Node }
      finallyBlock?: Node
    }
    const name = catchClause?.variableDeclaration?.name.getText()
    const again = !catchClause || (name !== undefined && throwsAgain(catchClause.block, name, this.program))
    this.#visit(tryBlock, found, again ? scope : { ...scope, caught: true })
    for (const block of [catchClause?.block, finallyBlock]) if (block) this.#visit(block, found, scope)
  }

  #thrown(node: Node, found: Found, scope: Scope): void {
    this.#refused((node as Node & { expression: Node }).expression, found, scope)
  }

  /** Handles an error that is thrown, or with which a promise rejects. */
  #refused(expression: Node, found: Found, scope: Scope): void {
    const errors = this.#answersOf(expression).filter(({ error }) => error)
    const known = errors.filter(({ status, open }) => status !== null || open)
    const isCaught = expression.kind === this.program.kinds.Identifier
    // An error that is thrown again was recorded where it was thrown; one from a function is recorded there.
    const isMade = expression.kind === this.program.kinds.CallExpression && this.#makesErrors(expression)
    if (!isCaught && !isMade && known.length < errors.length) warnStatus(expression, this)
    found.answers.push(...answersIn(scope, isMade ? known : errors))
  }

  /** Returns true if a function of the project determines the statuses of the errors that it returns. */
  #makesErrors(call: Node): boolean {
    const signature = this.program.checker.getResolvedSignature(call)
    const callees = signature ? calleesOf(call as CallExpression, signature, this.program) : []
    return callees.some((target) =>
      this.of(target).answers.some(({ error, status, open }) => error && (status !== null || open)),
    )
  }

  /** Returns the responses in the type of an expression. */
  #answersOf(expression: Node): FoundAnswer[] {
    const { program, shapes } = this
    const type = program.checker.getTypeAtLocation(expression)
    if (!type) return []
    const answers = answersOf(type, expression, shapes, expression)
    return opened(answers, statusArgument(type, program, expression), expression, program)
  }

  /** Handles returned errors, and responses from a function of a package. */
  #returned(expression: Node, found: Found, scope: Scope): void {
    const { checker } = this.program
    if (!mayAnswer(expression, this.program)) return
    const call = calledIn(expression, this.program)
    if (call && originOf(call, this.program) === "context") return
    const type = checker.getTypeAtLocation(expression)
    if (!type) return
    const made = call !== undefined && !this.#isRead(call)
    const answers = this.#answersOf(expression)
    const kept = answers.filter(({ error }) => error || made)
    const isUnknown = made && answers.length === 0 && isPlainResponse(type, this.program) && !scope.generic
    found.answers.push(...answersIn(scope, isUnknown ? [{ status: null, media: "*/*" }] : kept))
  }

  /**
   * Returns true if a call's responses are read elsewhere: it belongs to the context or the project, is
   * `next`, or creates a Response.
   */
  #isRead(call: CallExpression): boolean {
    const isResponse = /^Response\b/.test(call.getText())
    if (originOf(call, this.program) === "platform") return isResponse
    const declared = this.program.checker.getResolvedSignature(call)?.declaration
    if (!declared) return true
    const isOwn =
      this.program.isOwn(declared.path) && implementationOf(this.program.resolve(declared)) !== undefined
    return isOwn || this.program.frameworkModule(declared.path) !== null || isResponse
  }

  #call(call: CallExpression, found: Found, scope: Scope): void {
    const name = calledName(call.expression) ?? ""
    const origin = originOf(call, this.program)
    const known = found.answers.length
    if (origin === "context") this.#contextCall(name, call, found, scope)
    else if (origin === "platform") this.#platformCall(name, call, found, scope)
    else this.#unknownCall(name, call, found, scope)
    for (const answer of found.answers.splice(known)) found.answers.push({ ...answer, made: call })
    if (origin !== "unknown") readSetMedia(name, call, found, this.program)
  }

  /** Handles a call whose name does not show its target. */
  #unknownCall(name: string, call: CallExpression, found: Found, scope: Scope): void {
    const { program } = this
    const signature = program.checker.getResolvedSignature(call)
    const path = signature?.declaration?.path
    const module = path === undefined ? null : program.frameworkModule(path)
    if (contextModules.includes(module)) this.#contextCall(name, call, found, scope)
    else if (module === "proxy") readProxyCall(call, name, found, this)
    else if (path === undefined || signature === undefined) {
      if (isContextMethod(name) && isUntypedContext(call, program))
        readContextCall(name, call, undefined, found, scope, this)
    } else if (program.isOwn(path) || module === "types") this.#followAll(call, signature, found, scope)
    else this.#platformCall(name, call, found, scope)
    if (path !== undefined && !contextModules.includes(module))
      for (const handler of handedTo(call, path, program)) addFound(this.of(handler), found, scope)
  }

  #contextCall(name: string, call: CallExpression, found: Found, scope: Scope): void {
    const returned = hasTypedResult(name) ? this.program.checker.getTypeAtLocation(call) : undefined
    readContextCall(name, call, returned, found, scope, this)
  }

  #platformCall(name: string, call: CallExpression, found: Found, scope: Scope): void {
    const [reason] = call.arguments ?? []
    if (name !== "reject" || !reason) readPlatformCall(call, name, found, this)
    else if (!scope.caught) this.#refused(reason, found, scope)
  }

  /** Follows a call to its targets. A middleware around a single handler also has declarations. */
  #followAll(call: CallExpression, signature: Signature, found: Found, scope: Scope): void {
    for (const target of calleesOf(call, signature, this.program))
      this.#follow(call, signature, target, found, scope)
    const { path = "" } = signature.declaration ?? {}
    if (this.program.frameworkModule(path) !== "types") return
    const { security, answers } = declaredMarks(call.expression, this)
    found.security.push(...security)
    found.answers.push(...answersIn(scope, answers))
  }

  /** Adds the facts of a function of the project. The call determines its type parameters. */
  #follow(call: CallExpression, signature: Signature, target: Node, found: Found, scope: Scope): void {
    const inner = this.of(target)
    found.reads.push(...inner.reads)
    found.security.push(...inner.security)
    found.headers.push(...answersIn(scope, inner.headers))
    for (const body of inner.bodies) {
      const own = isRaw(body) ? { ...body, at: call } : body
      found.bodies.push(isOpen(body) ? bodyOfCall(body, call, signature, target, scope, this) : own)
    }
    const reached = inner.answers.filter(({ error }) => !(error && scope.caught))
    const answers = typedByCall(reached, call, signature, this)
    found.answers.push(...answersIn(scope, answersOfCall(answers, call, target, this.program)))
  }
}
