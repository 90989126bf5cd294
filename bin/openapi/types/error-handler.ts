/** The statuses that `app.onError()` sends for each error, read from its source. */
import type { CallExpression, Node, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import {
  type Bound,
  ErrorConditions,
  firstStatus,
  lastStatus,
  type Names,
  type ReadError,
  type Surroundings,
} from "./error-conditions.ts"
import { leaves, targetOf } from "./functions.ts"

type Statement = SyntaxNode & {
  readonly body?: Node
  readonly parameters?: readonly Declaration[]
  readonly statements?: readonly Node[]
  /** The statement that a loop repeats. */
  readonly statement?: Node
  readonly thenStatement?: Node
  readonly elseStatement?: Node
  readonly caseBlock?: Node & { readonly clauses: readonly Statement[] }
  readonly tryBlock?: Node
  readonly catchClause?: Node & { readonly block: Node }
  readonly finallyBlock?: Node
  readonly declarationList?: { readonly declarations: readonly Declaration[] }
}

type Declaration = SyntaxNode & { readonly name: SyntaxNode; readonly initializer?: Node }

/**
 * Returns the statuses sent for an error of each status, if they may differ. An unknown condition counts both
 * ways.
 */
export function sentStatuses(handler: Node, program: TypeProgram): ReadonlyMap<number, readonly number[]> {
  const sent = new Map<number, readonly number[]>()
  for (let status = firstStatus; status <= lastStatus; status++) {
    const each = sentFor({ status }, handler, program)
    if (each.length > 0 && (each.length > 1 || each[0] !== status)) sent.set(status, each)
  }
  return sent
}

/** Returns the statuses sent for one error. */
export function sentFor(error: ReadError, handler: Node, program: TypeProgram): readonly number[] {
  const reading = new Reading(error, program, [], [handler])
  const found = new Set(reading.returned(handler).flatMap((bound) => reading.at(bound).answers(bound.node)))
  return [...found].sort((a, b) => a - b)
}

/** Reads a function for one error. */
class Reading {
  readonly #error: ReadError
  readonly #program: TypeProgram
  readonly #given: readonly (Bound | undefined)[]
  /** The function, and those that call it: a call of one of them has no value. */
  readonly #callers: readonly Node[]
  readonly #returned: Bound[] = []
  #names: Names = new Map()
  /** The names at each `break` out of the current switch or loop. */
  #breaks: Names[] = []

  constructor(
    error: ReadError,
    program: TypeProgram,
    given: readonly (Bound | undefined)[],
    callers: readonly Node[],
  ) {
    this.#error = error
    this.#program = program
    this.#given = given
    this.#callers = callers
  }

  /** Returns the expressions that a function returns for this error. */
  returned(target: Node): readonly Bound[] {
    const { kinds } = this.#program
    const { body, kind, parameters } = target as Statement
    for (const [i, { name }] of (parameters ?? []).entries()) if (name) this.#bind(name, this.#given[i])
    if (body?.kind === kinds.Block) this.#block((body as Statement).statements ?? [])
    else if (body && kind === kinds.ArrowFunction) this.#return(body)
    return this.#returned
  }

  /** The conditions in an expression, with the values of the names in it. */
  at(surroundings: Surroundings): ErrorConditions {
    const [error, program] = [this.#error, this.#program]
    const returned = ({ node, names, callers }: Bound) => {
      const { expression, arguments: given } = node as CallExpression
      const target = targetOf(expression, program)
      if (!target || !(target as Statement).body || callers.includes(target)) return undefined
      const bound = given.map((argument) => ({ node: argument, names, callers }))
      return new Reading(error, program, bound, [...callers, target]).returned(target)
    }
    return new ErrorConditions(error, program, returned, surroundings)
  }

  /** An expression at the place that is being read. */
  #here(node: Node): Bound {
    return { node, names: this.#names, callers: this.#callers }
  }

  #return(node: Node): void {
    this.#returned.push(this.#here(node))
  }

  /** Reads statements in order; returns true if what follows them is reached. */
  #block(statements: readonly Node[]): boolean {
    return statements.every((statement) => this.#statement(statement as Statement))
  }

  #statement(node: Statement): boolean {
    const { kinds } = this.#program
    const { expression, statement, thenStatement, caseBlock, tryBlock, statements } = node
    if (node.kind === kinds.Block) return this.#block(statements ?? [])
    if (node.kind === kinds.ReturnStatement && expression) this.#return(expression)
    if (leaves(node, this.#program)) return false
    if (node.kind === kinds.BreakStatement || node.kind === kinds.ContinueStatement) {
      this.#breaks.push(this.#names)
      return false
    }
    if (thenStatement) return this.#if(node)
    if (caseBlock && expression) return this.#switch(expression, caseBlock.clauses)
    if (tryBlock) return this.#try(node)
    // A loop, which may run or not.
    if (statement)
      return this.#breakable(() => this.#fork([() => this.#statement(statement as Statement), () => true]))
    for (const { name, initializer } of node.declarationList?.declarations ?? [])
      this.#bind(name, initializer && this.#here(initializer))
    if (expression) this.#assign(expression as SyntaxNode)
    return true
  }

  #if({ expression, thenStatement, elseStatement }: Statement): boolean {
    const holds = expression && this.at(this.#here(expression)).holds(expression)
    const path = (side: Node | undefined) => () => !side || this.#statement(side as Statement)
    const paths = [...(holds === false ? [] : [thenStatement]), ...(holds === true ? [] : [elseStatement])]
    return this.#fork(paths.map(path))
  }

  #switch(asked: Node, clauses: readonly Statement[]): boolean {
    const { kinds } = this.#program
    const conditions = this.at(this.#here(asked))
    const matches = ({ expression }: Statement) =>
      asked.kind === kinds.TrueKeyword
        ? conditions.holds(expression as Node)
        : conditions.compared(asked, "===", expression as Node)
    const cases = clauses.filter(({ kind }) => kind === kinds.CaseClause)
    const results = cases.map(matches)
    const certain = results.indexOf(true)
    const entered = cases.filter((_, i) => results[i] !== false && (certain < 0 || i <= certain))
    const other = clauses.find(({ kind }) => kind === kinds.DefaultClause)
    if (certain < 0 && other) entered.push(other)
    const paths = entered.map((clause) => () => {
      const reached = clauses.slice(clauses.indexOf(clause))
      return this.#block(reached.flatMap(({ statements }) => statements ?? []))
    })
    // Without a clause for the rest, the code after it runs.
    if (certain < 0 && !other) paths.push(() => true)
    return this.#breakable(() => this.#fork(paths))
  }

  /** Reads `try`, and `catch` as if it may run. */
  #try({ tryBlock, catchClause, finallyBlock }: Statement): boolean {
    const path = (block: Node | undefined) => () => this.#statement(block as Statement)
    const isReached = this.#fork([path(tryBlock), ...(catchClause ? [path(catchClause.block)] : [])])
    return (!finallyBlock || this.#statement(finallyBlock as Statement)) && isReached
  }

  /** Reads paths of which one is taken. What follows has the names of all paths that come to their end. */
  #fork(paths: readonly (() => boolean)[]): boolean {
    const start = this.#names
    const ends: Names[] = []
    for (const path of paths) {
      this.#names = start
      if (path()) ends.push(this.#names)
    }
    this.#names = joined(ends)
    return ends.length > 0
  }

  /** Reads a switch or a loop, after which code is reached by `break`, too. */
  #breakable(read: () => boolean): boolean {
    const outer = this.#breaks
    this.#breaks = []
    if (read()) this.#breaks.push(this.#names)
    const ends = this.#breaks
    this.#breaks = outer
    this.#names = joined(ends)
    return ends.length > 0
  }

  /** Keeps the value of a name, or of each name in `{ status }`. */
  #bind(name: SyntaxNode, value: Bound | undefined): void {
    const isPattern = name.kind === this.#program.kinds.ObjectBindingPattern
    if (name.text !== undefined) this.#set(name.text, value)
    for (const element of isPattern ? (name.elements ?? []) : [])
      if (element.name?.text !== undefined) this.#set(element.name.text, this.#here(element))
  }

  #assign({ left, right, operatorToken }: SyntaxNode): void {
    const { text } = (left ?? {}) as SyntaxNode
    if (text !== undefined && right && operatorToken?.getText() === "=") this.#set(text, this.#here(right))
  }

  #set(name: string, value: Bound | undefined): void {
    const names = new Map(this.#names)
    names.delete(name)
    if (value) names.set(name, [value])
    this.#names = names
  }
}

/** Returns names with the values that they have in any of the given ones. */
function joined(all: readonly Names[]): Names {
  const [first = new Map(), ...others] = all
  const names = new Map<string, readonly Bound[]>(first)
  for (const other of others)
    for (const [name, values] of other) {
      const known = names.get(name) ?? []
      names.set(name, [...known, ...values.filter(({ node }) => !known.some((one) => one.node === node))])
    }
  return names
}
