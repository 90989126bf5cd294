/** Reads a function's source, and that of the project's own functions that it calls, for what it reads and answers. Called by `handlers.ts`. */
import type { Answer, Facts, Place, Warning } from "../../../lib/openapi/model.ts"
import type { CallExpression, Node, Signature, Type, TypeProgram } from "../../tools/typescript/program.ts"
import { answersOf, isUntold } from "./answers.ts"
import { askAhead } from "./ask-ahead.ts"
import { bodyOfCall, closedBodies, isOpen } from "./bodies.ts"
import type { CallReader } from "./call-reader.ts"
import { calledName, calleesOf } from "./callees.ts"
import { isContextMethod, readContextCall, warnStatus } from "./calls.ts"
import { CallOrigins, mayAnswer } from "./calls-of-file.ts"
import { answersIn, type Found, nothingFound, type SchemaPlace, type Scope } from "./found.ts"
import { implementationOf, isUntypedContext, leaves, type WithBody } from "./functions.ts"
import { declaredMarks } from "./marks.ts"
import { reach } from "./methods.ts"
import { readPlatformCall, readProxyCall } from "./platform-calls.ts"
import { Shapes } from "./shapes.ts"

type IfNode = Node & {
  readonly expression: Node
  readonly thenStatement: Node
  readonly elseStatement?: Node
}

/** Gathers facts, of each function once. */
export class FactFinder implements CallReader {
  readonly program: TypeProgram
  readonly shapes: Shapes
  /** The schemas that bodies are validated by, by id. */
  readonly schemas = new Map<string, SchemaPlace>()
  readonly #found = new Map<Node, Found>()
  readonly #origins: CallOrigins
  readonly #warnings = new Map<string, Warning>()

  constructor(program: TypeProgram) {
    this.program = program
    this.shapes = new Shapes(program)
    this.#origins = new CallOrigins(program)
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values(), ...this.shapes.warnings]
  }

  readonly warn = (node: Node, message: string, fix: string): void => {
    const at = this.program.place(node)
    this.#warnings.set(`${at.file}:${at.line}:${message}`, { message, fix, at })
  }

  /** Reads something; what it throws is told, and is no reason to read nothing else. */
  attempt<T>(at: Place, read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      const message = `TypeScript could not tell the types here: ${error instanceof Error ? error.message : String(error)}`
      const fix = "Run tsc --noEmit. If that is content, this is a bug of fw: please report it."
      this.#warnings.set(`${at.file}:${at.line}`, { message, fix, at })
      return undefined
    }
  }

  /** Reads something of which it is no news that it is not known. */
  quietly<T>(read: () => T): T {
    const known = new Set(this.#warnings.keys())
    const result = read()
    for (const key of this.#warnings.keys()) if (!known.has(key)) this.#warnings.delete(key)
    return result
  }

  readonly schema = (node: Node, path: readonly string[]): string => {
    const { file, line } = this.program.place(node)
    const expression = [node.getText(), ...path.map((key) => `[${JSON.stringify(key)}]`)].join("")
    const id = `${file}:${line}:${expression}`
    this.schemas.set(id, { file, expression })
    return id
  }

  /** Asks TypeScript about some files at once, before their functions are read one by one. */
  prepare(files: readonly string[]): void {
    const { program } = this
    try {
      program.ahead(files.map((file) => () => program.file(file)))
      const sources = files.flatMap((file) => program.file(file) ?? [])
      askAhead(this.#origins.prepare(sources), program)
    } catch {
      // What fails here fails again where it is read, and the warning names that place.
    }
  }

  /** The facts of a handler or a middleware: a function, or an expression that gives one. */
  facts(node: Node): Facts {
    const { reads, bodies, answers, security, headers } = this.of(node)
    return {
      reads,
      bodies: closedBodies(bodies, this).map(({ at: _, open: __, ...body }) => body),
      answers: answers.map(({ generic: _, ...answer }) => answer),
      security,
      headers,
    }
  }

  /** What is found in a node and in what it calls. */
  of(node: Node): Found {
    const known = this.#found.get(node)
    if (known) return known
    const found = nothingFound()
    this.#origins.prepare([node.getSourceFile()])
    // A function that calls itself adds nothing to itself.
    this.#found.set(node, found)
    const { typeParameters, parent } = node as WithBody
    const owner = parent as WithBody | undefined
    const generic = (typeParameters?.length ?? 0) + (owner?.typeParameters?.length ?? 0) > 0
    const scope = { generic, caught: false, methods: null }
    if (node.kind === this.program.kinds.CallExpression || !(node as WithBody).body)
      this.#visit(node, found, scope)
    else node.forEachChild((child) => this.#visit(child, found, scope))
    if ((node as WithBody).body) this.#returned((node as WithBody).body as Node, found, scope)
    return found
  }

  #visit(node: Node, found: Found, scope: Scope): void {
    const { kinds } = this.program
    if (node.kind === kinds.TryStatement) this.#try(node, found, scope)
    else if (node.kind === kinds.IfStatement) this.#if(node as IfNode, found, scope)
    else if (node.kind === kinds.Block) this.#block(node as WithBody, found, scope)
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
      this.#returned((node as WithBody).body as Node, found, scope)
    node.forEachChild((child) => this.#visit(child, found, scope))
  }

  /** What stands behind a condition on `c.method` concerns the methods that pass it. */
  #if({ expression, thenStatement, elseStatement }: IfNode, found: Found, scope: Scope): Scope {
    this.#visit(expression, found, scope)
    const [passed, failed] = [true, false].map((wanted) => {
      return { ...scope, methods: reach(expression, wanted, scope.methods, this.program) }
    }) as [Scope, Scope]
    this.#visit(thenStatement, found, passed)
    if (elseStatement) this.#visit(elseStatement, found, failed)
    return leaves(thenStatement, this.program) && !elseStatement ? failed : scope
  }

  #block({ statements = [] }: WithBody, found: Found, scope: Scope): void {
    let rest = scope
    for (const statement of statements) {
      if (statement.kind === this.program.kinds.IfStatement) rest = this.#if(statement as IfNode, found, rest)
      else this.#visit(statement, found, rest)
    }
  }

  /** What is thrown in a block whose errors are caught gets out only where they are thrown again. */
  #try(node: Node, found: Found, scope: Scope): void {
    const { tryBlock, catchClause, finallyBlock } = node as Node & {
      tryBlock: Node
      catchClause?: Node & { variableDeclaration?: { name: Node }; block: Node }
      finallyBlock?: Node
    }
    const name = catchClause?.variableDeclaration?.name.getText()
    const again = !catchClause || (name !== undefined && this.#throwsAgain(catchClause.block, name))
    this.#visit(tryBlock, found, again ? scope : { ...scope, caught: true })
    for (const block of [catchClause?.block, finallyBlock]) if (block) this.#visit(block, found, scope)
  }

  #throwsAgain(node: Node, name: string): boolean {
    const { expression } = node as Node & { expression?: Node }
    if (node.kind === this.program.kinds.ThrowStatement && expression?.getText() === name) return true
    return node.forEachChild((child) => this.#throwsAgain(child, name) || undefined) ?? false
  }

  #thrown(node: Node, found: Found, scope: Scope): void {
    this.#refused((node as Node & { expression: Node }).expression, found, scope)
  }

  /** An error that is thrown, or that a promise is rejected with. */
  #refused(expression: Node, found: Found, scope: Scope): void {
    const type = this.program.checker.getTypeAtLocation(expression)
    const all = type ? answersOf(type, expression, this.shapes, expression) : []
    const errors = all.filter(({ error }) => error)
    const known = errors.filter(({ status }) => status !== null)
    const isCaught = expression.kind === this.program.kinds.Identifier
    // One that is thrown again was told of where it was thrown, one that a function makes is told of there.
    const isMade = expression.kind === this.program.kinds.CallExpression && this.#makesErrors(expression)
    if (!isCaught && !isMade && known.length < errors.length) warnStatus(expression, this)
    found.answers.push(...answersIn(scope, isMade ? known : errors))
  }

  /** Whether a function of the project tells the statuses of the errors that it returns. */
  #makesErrors(call: Node): boolean {
    const signature = this.program.checker.getResolvedSignature(call)
    const callees = signature ? calleesOf(call as CallExpression, signature, this.program) : []
    return callees.some((target) =>
      this.of(target).answers.some(({ error, status }) => error && status !== null),
    )
  }

  /** Errors that are returned, and answers that a package's function makes. */
  #returned(expression: Node, found: Found, scope: Scope): void {
    const { checker } = this.program
    if (!mayAnswer(expression, this.program)) return
    const call = this.#calledIn(expression)
    if (call && this.#origins.of(call) === "context") return
    const type = checker.getTypeAtLocation(expression)
    if (!type) return
    const made = call !== undefined && !this.#isRead(call)
    const answers = answersOf(type, expression, this.shapes, expression)
    const told = answers.filter(({ error }) => error || made)
    const isUnknown = made && answers.length === 0 && isUntold(type, this.program) && !scope.generic
    found.answers.push(...answersIn(scope, isUnknown ? [{ status: null, media: "*/*" }] : told))
  }

  /** The call that an expression is, behind `await`. */
  #calledIn(node: Node): CallExpression | undefined {
    const { kinds } = this.program
    if (node.kind === kinds.CallExpression) return node as CallExpression
    if (node.kind !== kinds.AwaitExpression && node.kind !== kinds.ParenthesizedExpression) return undefined
    return this.#calledIn((node as Node & { expression: Node }).expression)
  }

  /** Whether a call's answers are read elsewhere: it is the context's, `next`, the project's own, or makes a Response. */
  #isRead(call: CallExpression): boolean {
    const isResponse = /^Response\b/.test(call.getText())
    if (this.#origins.of(call) === "platform") return isResponse
    const declared = this.program.checker.getResolvedSignature(call)?.declaration
    if (!declared) return true
    const isOwn =
      this.program.isOwn(declared.path) && implementationOf(this.program.resolve(declared)) !== undefined
    return isOwn || this.program.frameworkModule(declared.path) !== null || isResponse
  }

  #call(call: CallExpression, found: Found, scope: Scope): void {
    const name = calledName(call.expression) ?? ""
    const origin = this.#origins.of(call)
    if (origin === "context") this.#contextCall(name, call, found, scope)
    else if (origin === "platform") this.#platformCall(name, call, found, scope)
    else this.#askedCall(name, call, found, scope)
  }

  /** A call whose name does not tell whose function it is. */
  #askedCall(name: string, call: CallExpression, found: Found, scope: Scope): void {
    const { program } = this
    const signature = program.checker.getResolvedSignature(call)
    const path = signature?.declaration?.path
    const module = path === undefined ? null : program.frameworkModule(path)
    if (module === "context" || module === "contextRequest") this.#contextCall(name, call, found, scope)
    else if (module === "proxy") readProxyCall(call, name, found, this)
    else if (path === undefined || signature === undefined) {
      if (isContextMethod(name) && isUntypedContext(call, program))
        readContextCall(name, call, undefined, found, scope, this)
    } else if (program.isOwn(path) || module === "types") this.#followAll(call, signature, found, scope)
    else this.#platformCall(name, call, found, scope)
  }

  #contextCall(name: string, call: CallExpression, found: Found, scope: Scope): void {
    readContextCall(name, call, this.program.checker.getTypeAtLocation(call), found, scope, this)
  }

  #platformCall(name: string, call: CallExpression, found: Found, scope: Scope): void {
    const [reason] = call.arguments ?? []
    if (name !== "reject" || !reason) readPlatformCall(call, name, found, this)
    else if (!scope.caught) this.#refused(reason, found, scope)
  }

  /** Follows a call into what it runs. A middleware around a single handler declares something too. */
  #followAll(call: CallExpression, signature: Signature, found: Found, scope: Scope): void {
    for (const target of calleesOf(call, signature, this.program))
      this.#follow(call, signature, target, found, scope)
    const { path = "" } = signature.declaration ?? {}
    if (this.program.frameworkModule(path) !== "types") return
    const { security, answers } = declaredMarks(call.expression, this)
    found.security.push(...security)
    found.answers.push(...answersIn(scope, answers))
  }

  /** Adds what a function of the project's own does. What it makes of its type parameters, the call tells. */
  #follow(call: CallExpression, signature: Signature, target: Node, found: Found, scope: Scope): void {
    const inner = this.of(target)
    found.reads.push(...inner.reads)
    found.security.push(...inner.security)
    found.headers.push(...answersIn(scope, inner.headers))
    const generic = inner.answers.filter(({ error, generic }) => !error && generic)
    const returned = generic.length > 0 ? this.program.checker.getReturnTypeOfSignature(signature) : undefined
    for (const body of inner.bodies)
      found.bodies.push(isOpen(body) ? bodyOfCall(body, call, signature, target, scope, this) : body)
    const errors = scope.caught ? [] : inner.answers.filter(({ error }) => error)
    const plain = inner.answers.filter(({ error, generic }) => !error && !generic)
    const told = generic.length > 0 && returned ? this.#told(returned, call) : []
    found.answers.push(...answersIn(scope, [...errors, ...plain, ...(told.length > 0 ? told : generic)]))
  }

  /** The answers that a type tells of: its own, or those of the handler that it is. */
  #told(type: Type, from: Node): Answer[] {
    const { checker } = this.program
    const own = answersOf(type, from, this.shapes)
    const [handler] = own.length > 0 ? [] : checker.getSignaturesOfType(type, 0)
    const given = handler && checker.getReturnTypeOfSignature(handler)
    return given ? answersOf(given, from, this.shapes) : own
  }
}
