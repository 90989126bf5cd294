/** The statuses that `app.onError()` sends for each error, read from its source. */
import type { CallExpression, Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { alwaysExits, findTarget } from "../calls/functions.ts"
import {
  type BoundExpression,
  ErrorConditions,
  type EvaluationScope,
  maxErrorStatus,
  minErrorStatus,
  type NamedValues,
  type ReadError,
} from "./error-conditions.ts"

type StatementNode = SyntaxNode & {
  readonly body?: Node
  readonly parameters?: readonly DeclarationNode[]
  readonly statements?: readonly Node[]
  /** The statement that a loop repeats. */
  readonly statement?: Node
  readonly thenStatement?: Node
  readonly elseStatement?: Node
  readonly caseBlock?: Node & { readonly clauses: readonly StatementNode[] }
  readonly tryBlock?: Node
  readonly catchClause?: Node & { readonly block: Node }
  readonly finallyBlock?: Node
  readonly declarationList?: { readonly declarations: readonly DeclarationNode[] }
}

type DeclarationNode = SyntaxNode & { readonly name: SyntaxNode; readonly initializer?: Node }

/**
 * Returns the statuses sent for an error of each status, if they may differ. If a condition is unknown, both of its
 * sides count.
 */
export function readSentStatuses(handler: Node, program: TypeProgram): ReadonlyMap<number, readonly number[]> {
  const statusesByError = new Map<number, readonly number[]>()
  for (let status = minErrorStatus; status <= maxErrorStatus; status++) {
    const each = listSentStatuses({ status }, handler, program)
    if (each.length > 0 && (each.length > 1 || each[0] !== status)) statusesByError.set(status, each)
  }
  return statusesByError
}

/** Returns the statuses sent for one error. */
export function listSentStatuses(error: ReadError, handler: Node, program: TypeProgram): readonly number[] {
  const reading = new FunctionReading(error, program, [], [handler])
  const found = new Set(
    reading.findReturned(handler).flatMap((bound) => reading.createConditions(bound).listStatuses(bound.node)),
  )
  return [...found].sort((a, b) => a - b)
}

/** Reads a function for one error. */
class FunctionReading {
  readonly #error: ReadError
  readonly #program: TypeProgram
  readonly #argumentValues: readonly (BoundExpression | undefined)[]
  /** The function, and the functions that call it. A call of one of them gives no value here. */
  readonly #callers: readonly Node[]
  readonly #returnedExpressions: BoundExpression[] = []
  #names: NamedValues = new Map()
  /** The names at each `break` out of the current switch or loop. */
  #breaks: NamedValues[] = []

  constructor(
    error: ReadError,
    program: TypeProgram,
    given: readonly (BoundExpression | undefined)[],
    callers: readonly Node[],
  ) {
    this.#error = error
    this.#program = program
    this.#argumentValues = given
    this.#callers = callers
  }

  /** Returns the expressions that a function returns for this error. */
  findReturned(target: Node): readonly BoundExpression[] {
    const { kinds } = this.#program
    const { body, kind, parameters } = target as StatementNode
    for (const [i, { name }] of (parameters ?? []).entries()) if (name) this.#bindName(name, this.#argumentValues[i])
    if (body?.kind === kinds.Block) this.#readBlock((body as StatementNode).statements ?? [])
    else if (body && kind === kinds.ArrowFunction) this.#addReturned(body)
    return this.#returnedExpressions
  }

  /** The conditions in an expression, with the values of the names in it. */
  createConditions(surroundings: EvaluationScope): ErrorConditions {
    const [error, program] = [this.#error, this.#program]
    const returned = ({ node, names, callers }: BoundExpression) => {
      const { expression, arguments: given } = node as CallExpression
      const target = findTarget(expression, program)
      if (!target || !(target as StatementNode).body || callers.includes(target)) return undefined
      const argumentValues = given.map((argument) => ({ node: argument, names, callers }))
      return new FunctionReading(error, program, argumentValues, [...callers, target]).findReturned(target)
    }
    return new ErrorConditions(error, program, returned, surroundings)
  }

  /** An expression at the place that is being read. */
  #toBound(node: Node): BoundExpression {
    return { node, names: this.#names, callers: this.#callers }
  }

  #addReturned(node: Node): void {
    this.#returnedExpressions.push(this.#toBound(node))
  }

  /** Reads statements in order; returns true if what follows them is reached. */
  #readBlock(statements: readonly Node[]): boolean {
    return statements.every((statement) => this.#readStatement(statement as StatementNode))
  }

  #readStatement(node: StatementNode): boolean {
    const { kinds } = this.#program
    const { expression, statement, thenStatement, caseBlock, tryBlock, statements } = node
    if (node.kind === kinds.Block) return this.#readBlock(statements ?? [])
    if (node.kind === kinds.ReturnStatement && expression) this.#addReturned(expression)
    if (alwaysExits(node, this.#program)) return false
    if (node.kind === kinds.BreakStatement || node.kind === kinds.ContinueStatement) {
      this.#breaks.push(this.#names)
      return false
    }
    if (thenStatement) return this.#readIf(node)
    if (caseBlock && expression) return this.#readSwitch(expression, caseBlock.clauses)
    if (tryBlock) return this.#readTry(node)
    // This is a loop, which may run or not.
    if (statement)
      return this.#readBreakable(() =>
        this.#readPaths([() => this.#readStatement(statement as StatementNode), () => true]),
      )
    for (const { name, initializer } of node.declarationList?.declarations ?? [])
      this.#bindName(name, initializer && this.#toBound(initializer))
    if (expression) this.#readAssignment(expression as SyntaxNode)
    return true
  }

  #readIf({ expression, thenStatement, elseStatement }: StatementNode): boolean {
    const holds = expression && this.createConditions(this.#toBound(expression)).holds(expression)
    const path = (side: Node | undefined) => () => !side || this.#readStatement(side as StatementNode)
    const paths = [...(holds === false ? [] : [thenStatement]), ...(holds === true ? [] : [elseStatement])]
    return this.#readPaths(paths.map(path))
  }

  #readSwitch(asked: Node, clauses: readonly StatementNode[]): boolean {
    const { kinds } = this.#program
    const conditions = this.createConditions(this.#toBound(asked))
    const matches = ({ expression }: StatementNode) =>
      asked.kind === kinds.TrueKeyword
        ? conditions.holds(expression as Node)
        : conditions.compare(asked, "===", expression as Node)
    const cases = clauses.filter(({ kind }) => kind === kinds.CaseClause)
    const results = cases.map(matches)
    const certain = results.indexOf(true)
    const entered = cases.filter((_, i) => results[i] !== false && (certain < 0 || i <= certain))
    const other = clauses.find(({ kind }) => kind === kinds.DefaultClause)
    if (certain < 0 && other) entered.push(other)
    const paths = entered.map((clause) => () => {
      const reached = clauses.slice(clauses.indexOf(clause))
      return this.#readBlock(reached.flatMap(({ statements }) => statements ?? []))
    })
    // Without a default clause, the code after the switch may run.
    if (certain < 0 && !other) paths.push(() => true)
    return this.#readBreakable(() => this.#readPaths(paths))
  }

  /** Reads `try`, and `catch` as if it may run. */
  #readTry({ tryBlock, catchClause, finallyBlock }: StatementNode): boolean {
    const path = (block: Node | undefined) => () => this.#readStatement(block as StatementNode)
    const isReached = this.#readPaths([path(tryBlock), ...(catchClause ? [path(catchClause.block)] : [])])
    return (!finallyBlock || this.#readStatement(finallyBlock as StatementNode)) && isReached
  }

  /**
   * Reads several paths, of which one is taken. After them, the names have the values of all paths that reach their
   * end.
   */
  #readPaths(paths: readonly (() => boolean)[]): boolean {
    const start = this.#names
    const ends: NamedValues[] = []
    for (const path of paths) {
      this.#names = start
      if (path()) ends.push(this.#names)
    }
    this.#names = joinNames(ends)
    return ends.length > 0
  }

  /** Reads a switch or a loop, after which code is reached by `break`, too. */
  #readBreakable(read: () => boolean): boolean {
    const outer = this.#breaks
    this.#breaks = []
    if (read()) this.#breaks.push(this.#names)
    const ends = this.#breaks
    this.#breaks = outer
    this.#names = joinNames(ends)
    return ends.length > 0
  }

  /** Keeps the value of a name, or of each name in `{ status }`. */
  #bindName(name: SyntaxNode, value: BoundExpression | undefined): void {
    const isPattern = name.kind === this.#program.kinds.ObjectBindingPattern
    if (name.text !== undefined) this.#setValue(name.text, value)
    for (const element of isPattern ? (name.elements ?? []) : [])
      if (element.name?.text !== undefined) this.#setValue(element.name.text, this.#toBound(element))
  }

  #readAssignment({ left, right, operatorToken }: SyntaxNode): void {
    const { text } = (left ?? {}) as SyntaxNode
    if (text !== undefined && right && operatorToken?.getText() === "=") this.#setValue(text, this.#toBound(right))
  }

  #setValue(name: string, value: BoundExpression | undefined): void {
    const names = new Map(this.#names)
    names.delete(name)
    if (value) names.set(name, [value])
    this.#names = names
  }
}

/** Returns names with the values that they have in any of the given ones. */
function joinNames(all: readonly NamedValues[]): NamedValues {
  const [first = new Map(), ...others] = all
  const names = new Map<string, readonly BoundExpression[]>(first)
  for (const other of others)
    for (const [name, values] of other) {
      const known = names.get(name) ?? []
      names.set(name, [...known, ...values.filter(({ node }) => !known.some((one) => one.node === node))])
    }
  return names
}
