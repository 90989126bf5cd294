/**
 * Reads which statuses `app.onError()` sends for each error, from its source. It follows `if`, `switch`, `?:`,
 * constants and the project's own functions. If it cannot decide a condition, both results are possible.
 */
import { HttpError } from "../../../../lib/errors.ts"
import { isTypeName } from "../../../system/framework-files.ts"
import type { Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { findSymbol, findTarget } from "../calls/functions.ts"
import { listNumbers } from "../literal-types.ts"
import { readErrorStatuses } from "./error-statuses.ts"

/** The error for which the code is evaluated. */
interface ErrorCase {
  readonly status: number
  /** True if a validator has created it. Otherwise it is not known whether a 400 has issues. */
  readonly hasIssues?: true
}

/** The default code of an HttpError, by status. */
const defaultCodes = new Map(Array.from({ length: 200 }, (_, i) => [400 + i, new HttpError(400 + i, "").code] as const))
const knownCodes = new Set(defaultCodes.values())
/** Matches error codes of Node and of databases: `ENOENT`, `P2002`, `23505`. */
const foreignCodePattern = /^[A-Z\d_]+$/

/** The statuses that an error handler sends. */
export interface HandlerStatuses {
  /** The statuses by the status of the error, if they may differ from it. */
  readonly byError: ReadonlyMap<number, readonly number[]>
  /** The statuses for a 400 with issues; empty if they are not known. */
  readonly forIssues: readonly number[]
}

/** Returns the statuses that an error handler sends. If a condition cannot be decided, both branches count. */
export function readHandlerStatuses(handler: Node, program: TypeProgram): HandlerStatuses {
  const reader = new HandlerReader(handler, program)
  const byError = new Map<number, readonly number[]>()
  for (const status of defaultCodes.keys()) {
    const statuses = reader.read({ status })
    if (statuses.length > 0 && (statuses.length > 1 || statuses[0] !== status)) byError.set(status, statuses)
  }
  return { byError, forIssues: reader.read({ status: 400, hasIssues: true }) }
}

/** Evaluates the code of an error handler for one error after the other. */
class HandlerReader {
  readonly #handler: Node
  readonly #program: TypeProgram
  #error: ErrorCase = { status: 500 }
  /** The functions and constants that are being evaluated. If one of them refers to itself, it has no value. */
  readonly #activeNodes: Node[] = []
  readonly #declarations = new Map<Node, SyntaxNode | undefined>()

  constructor(handler: Node, program: TypeProgram) {
    this.#handler = handler
    this.#program = program
  }

  /** Returns the statuses that the handler sends for an error. */
  read(error: ErrorCase): readonly number[] {
    this.#error = error
    const statuses = this.#readSource(this.#handler, (value) => this.#listStatuses(value)) ?? []
    return [...new Set(statuses)].sort((a, b) => a - b)
  }

  /** Returns the statuses of an answer. If the number is not known, it is the status of the error. */
  #listStatuses(node: Node): readonly number[] {
    const { expression, arguments: given } = node as SyntaxNode
    const known = this.#readValues(node, (value) => this.#listStatuses(value))
    if (known) return known
    if (node.kind !== this.#program.kinds.CallExpression)
      return expression ? this.#listStatuses(expression) : [this.#error.status]
    return given?.[0] ? this.#listNumbers(given[0]).map((number) => number ?? this.#error.status) : []
  }

  /** Returns the numbers that an expression may have; null for a number that is not known. */
  #listNumbers(node: Node): readonly (number | null)[] {
    const inner = this.#unwrap(node)
    if (inner) return this.#listNumbers(inner)
    if (this.#findField(node) === "status") return [this.#error.status]
    const known = this.#readValues(node, (value) => this.#listNumbers(value))
    if (known) return known
    const type = this.#program.checker.getTypeAtLocation(node)
    return (type && listNumbers(type, this.#program)) ?? [null]
  }

  /** Returns the value of a condition; undefined if it depends on more than the error. */
  #evaluate(node: Node): boolean | undefined {
    const { kinds } = this.#program
    const { operand, left, right, operatorToken, expression } = node as SyntaxNode
    const inner = this.#unwrap(node)
    if (inner) return this.#evaluate(inner)
    if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("!")) {
      const holds = this.#evaluate(operand)
      return holds === undefined ? undefined : !holds
    }
    const field = this.#findField(node)
    if (field !== undefined && expression) return this.#hasField(field)
    const known = this.#readValues(node, (value) => [this.#evaluate(value)])
    if (known) return new Set(known).size === 1 ? known[0] : undefined
    if (!left || !right) return undefined
    const operator = operatorToken?.getText() ?? ""
    if (operator === "instanceof") return this.#isInstance(right)
    if (operator === "in") return this.#hasField((left as SyntaxNode).text ?? "")
    if (operator !== "&&" && operator !== "||") return this.#compare(left, operator, right)
    const sides = [left, right].map((side) => this.#evaluate(side))
    const decides = operator === "||"
    return sides.includes(decides) ? decides : sides.includes(undefined) ? undefined : !decides
  }

  /** Returns the value of a comparison, such as `error.status < 500` or `error.code === "not_found"`. */
  #compare(left: SyntaxNode, operator: string, right: SyntaxNode): boolean | undefined {
    const { kinds } = this.#program
    const isSame = operator.startsWith("=")
    const isEquality = isSame || operator.startsWith("!")
    const field = this.#findField(left)
    if (isEquality && field === "code" && right.kind === kinds.StringLiteral)
      return this.#mayHaveCode(right.text ?? "") ? undefined : !isSame
    if (isEquality && field !== undefined && (right.getText() === "undefined" || right.kind === kinds.NullKeyword)) {
      const has = this.#hasField(field)
      return has === undefined ? undefined : has !== isSame
    }
    const [a = null, b = null] = [left, right].map((side) => {
      const [number, ...others] = this.#listNumbers(side)
      return others.length > 0 ? null : number
    })
    if (a === null || b === null) return undefined
    if (isEquality) return (a === b) === isSame
    if (operator.startsWith("<")) return a < b || (operator === "<=" && a === b)
    return operator.startsWith(">") ? a > b || (operator === ">=" && a === b) : undefined
  }

  /** Returns true if an error with this status may have a code. Programs can choose codes. */
  #mayHaveCode(code: string): boolean {
    return code === defaultCodes.get(this.#error.status) || !(knownCodes.has(code) || foreignCodePattern.test(code))
  }

  /** Returns whether the error has a field that is not empty; undefined if that is not known. */
  #hasField(name: string): boolean | undefined {
    if (["status", "code", "name"].includes(name)) return true
    // Only errors with 400 have issues.
    if (name === "issues" && this.#error.status !== 400) return false
    return name === "issues" ? this.#error.hasIssues : undefined
  }

  /**
   * Returns the value of `instanceof`. An error with a status is an HttpError; it may be an instance of a subclass
   * with that status, but not of another class.
   */
  #isInstance(right: Node): boolean | undefined {
    const { checker } = this.#program
    const name = right.getText()
    if (isTypeName(name, "HttpError") || name === "Error") return true
    const type = checker.getTypeAtLocation(right)
    const prototype = type && checker.getPropertyOfType(type, "prototype")
    const instance = prototype && checker.getTypeOfSymbol(prototype)
    const statuses = instance && readErrorStatuses(instance, this.#program)
    if (!statuses) return instance ? false : undefined
    return statuses.includes(null) || statuses.includes(this.#error.status) ? undefined : false
  }

  /**
   * Returns the field of the error that an expression reads: `error.status`, or `status` after `const { status } =
   * error`.
   */
  #findField(node: Node): string | undefined {
    const { kinds } = this.#program
    if (node.kind === kinds.PropertyAccessExpression) return (node as SyntaxNode).name?.text
    const declared = node.kind === kinds.Identifier ? this.#findDeclaration(node) : undefined
    return declared?.kind === kinds.BindingElement ? (declared.propertyName ?? declared.name)?.text : undefined
  }

  #findDeclaration(node: Node): SyntaxNode | undefined {
    if (!this.#declarations.has(node)) {
      const handle = findSymbol(node, this.#program)?.valueDeclaration
      this.#declarations.set(node, this.#program.resolveNode(handle) as SyntaxNode | undefined)
    }
    return this.#declarations.get(node)
  }

  /** Returns the expression inside parentheses and type assertions. */
  #unwrap(node: Node): Node | undefined {
    const { ParenthesizedExpression, AsExpression, NonNullExpression, SatisfiesExpression } = this.#program.kinds
    const kinds = [ParenthesizedExpression, AsExpression, NonNullExpression, SatisfiesExpression]
    return kinds.includes(node.kind as never) ? (node as SyntaxNode).expression : undefined
  }

  /**
   * Returns the possible values of an expression: the branches of `?:`, the value of a constant, or the results of
   * a function of the project. Returns undefined for any other expression.
   */
  #readValues<T>(node: Node, read: (value: Node) => readonly T[]): readonly T[] | undefined {
    const { kinds } = this.#program
    const { condition, whenTrue, whenFalse, expression } = node as SyntaxNode
    if (condition && whenTrue && whenFalse) {
      const holds = this.#evaluate(condition)
      return [...(holds === false ? [] : read(whenTrue)), ...(holds === true ? [] : read(whenFalse))]
    }
    const isCall = node.kind === kinds.CallExpression && expression
    if (isCall) return this.#readSource(findTarget(expression, this.#program), read)
    const declared = node.kind === kinds.Identifier ? this.#findDeclaration(node) : undefined
    const isConstant = declared?.kind === kinds.VariableDeclaration && /^const\b/.test(declared.parent.getText())
    return isConstant ? this.#readSource(declared, read) : undefined
  }

  /** Returns the possible results of a function, or the value of a constant. */
  #readSource<T>(source: Node | undefined, read: (value: Node) => readonly T[]): readonly T[] | undefined {
    const { body, initializer } = (source ?? {}) as SyntaxNode
    const value = body ?? initializer
    if (!source || !value || this.#activeNodes.includes(source)) return undefined
    this.#activeNodes.push(source)
    const found: Node[] = []
    if (value.kind === this.#program.kinds.Block) this.#readBlock((value as SyntaxNode).statements ?? [], found)
    else found.push(value)
    const values = found.flatMap(read)
    this.#activeNodes.pop()
    return values
  }

  /** Collects the expressions that statements return. Returns true if the code after the statements is reached. */
  #readBlock(statements: readonly SyntaxNode[], found: Node[]): boolean {
    return statements.every((statement) => this.#readStatement(statement, found))
  }

  #readStatement(node: SyntaxNode, found: Node[]): boolean {
    const { kinds } = this.#program
    const { expression, caseBlock, thenStatement, elseStatement, statements, parameters } = node
    if (node.kind === kinds.ReturnStatement && expression) found.push(expression)
    if (node.kind === kinds.ReturnStatement || node.kind === kinds.ThrowStatement) return false
    if (node.kind === kinds.Block) return this.#readBlock(statements ?? [], found)
    if (caseBlock && expression) return this.#readSwitch(expression, caseBlock.clauses ?? [], found)
    if (!thenStatement || !expression) {
      // The statements in a loop, a `try` or a `catch` may run. Those in an inner function do not belong to this
      // function.
      if (!parameters) node.forEachChild((part) => void this.#readStatement(part as SyntaxNode, found))
      return true
    }
    const holds = this.#evaluate(expression)
    const passes = holds !== false && this.#readStatement(thenStatement, found)
    const fails = holds !== true && (!elseStatement || this.#readStatement(elseStatement, found))
    return passes || fails
  }

  /** Reads the clauses of a switch that may match. If one certainly matches, only that one. */
  #readSwitch(subject: SyntaxNode, clauses: readonly SyntaxNode[], found: Node[]): boolean {
    const results = clauses.map(({ expression }) => expression && this.#compare(subject, "===", expression))
    const certain = results.indexOf(true)
    const entered = clauses.filter((_, i) => (certain < 0 ? results[i] !== false : i === certain))
    const passes = entered.map((clause) => {
      const reached = clauses.slice(clauses.indexOf(clause)).flatMap(({ statements = [] }) => statements)
      const end = reached.findIndex(({ kind }) => kind === this.#program.kinds.BreakStatement)
      return this.#readBlock(end < 0 ? reached : reached.slice(0, end), found)
    })
    return certain < 0 || passes.includes(true)
  }
}
