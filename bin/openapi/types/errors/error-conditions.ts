/** Conditions and numbers in the code of `app.onError()`, evaluated for an error with one status. */
import { HttpError } from "../../../../lib/errors.ts"
import { isTypeName } from "../../../system/framework-files.ts"
import type { Node, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import { listNumbers } from "../literal-types.ts"
import { readErrorStatuses } from "./error-statuses.ts"

/** An expression, and its place in the run of the program. */
export interface BoundExpression extends EvaluationScope {
  readonly node: Node
}

/** The surroundings of an expression. */
export interface EvaluationScope {
  /** The values that each name may have. */
  readonly names: NamedValues
  /** The function that contains it, and those that called it. */
  readonly callers: readonly Node[]
}

/** An error for which the code is read. */
export interface ReadError {
  readonly status: number
  /** True if a validator made it. Otherwise a 400 may have issues or not. */
  readonly hasIssues?: true
}

/** Values that a name may have. */
export type NamedValues = ReadonlyMap<string, readonly BoundExpression[]>

/** First status of an HttpError. */
export const minErrorStatus = 400
export const maxErrorStatus = 599
/** The code that an HttpError has if none is given, by its status. */
const defaultCodes = new Map(
  Array.from({ length: maxErrorStatus - minErrorStatus + 1 }, (_, i) => {
    const status = minErrorStatus + i
    return [status, new HttpError(status, "").code]
  }),
)
const knownCodes = new Set(defaultCodes.values())
/** Codes of Node and of databases: `ENOENT`, `P2002`, `23505`. */
const foreignCodePattern = /^[A-Z\d_]+$/
/** The most names that lead from one expression to its value. */
const maxDepth = 10

/** Returns the expressions that a function of the project returns; undefined for another function. */
export type FindReturned = (call: BoundExpression) => readonly BoundExpression[] | undefined

/** Evaluates expressions for an error with one status. */
export class ErrorConditions {
  readonly #error: ReadError
  readonly #status: number
  readonly #program: TypeProgram
  readonly #findReturned: FindReturned
  readonly #scope: EvaluationScope
  readonly #depth: number

  constructor(
    error: ReadError,
    program: TypeProgram,
    returned: FindReturned,
    surroundings: EvaluationScope,
    depth = 0,
  ) {
    this.#error = error
    this.#status = error.status
    this.#program = program
    this.#findReturned = returned
    this.#scope = surroundings
    this.#depth = depth
  }

  /** Returns the statuses of a response. If a condition chooses between two, returns the statuses of both. */
  listStatuses(node: Node): readonly number[] {
    const { kinds } = this.#program
    const { expression, arguments: given, condition, whenTrue, whenFalse } = node as SyntaxNode
    if (condition && whenTrue && whenFalse)
      return this.#listReachedSides(condition, whenTrue, whenFalse).flatMap((side) => this.listStatuses(side))
    const values = this.#findValues(node)
    if (values) return values.flatMap((value) => this.#inScope(value).listStatuses(value.node))
    if (node.kind === kinds.CallExpression) return given?.[0] ? this.evaluateNumbers(given[0]) : []
    return expression ? this.listStatuses(expression) : [this.#status]
  }

  /** Returns the possible numbers. An unknown one is the status of the error. */
  evaluateNumbers(node: Node): readonly number[] {
    const { checker } = this.#program
    const { condition, whenTrue, whenFalse } = node as SyntaxNode
    if (condition && whenTrue && whenFalse)
      return this.#listReachedSides(condition, whenTrue, whenFalse).flatMap((side) => this.evaluateNumbers(side))
    const inner = this.#unwrap(node)
    if (inner) return this.evaluateNumbers(inner)
    if (this.#isStatus(node)) return [this.#status]
    const values = this.#findValues(node)
    if (values) return values.flatMap((value) => this.#inScope(value).evaluateNumbers(value.node))
    const type = checker.getTypeAtLocation(node)
    return (type && listNumbers(type, this.#program)) ?? [this.#status]
  }

  /** Returns the result of a condition; undefined if it does not depend only on the status. */
  holds(node: Node): boolean | undefined {
    const { kinds } = this.#program
    const { operand, left, right, operatorToken } = node as SyntaxNode
    if (node.kind === kinds.TrueKeyword || node.kind === kinds.FalseKeyword) return node.kind === kinds.TrueKeyword
    const inner = this.#unwrap(node)
    if (inner) return this.holds(inner)
    if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("!")) {
      const inner = this.holds(operand)
      return inner === undefined ? undefined : !inner
    }
    const field = this.#findField(node)
    if (field !== undefined) return this.#hasField(field)
    const values = this.#findValues(node)
    if (values) return findCommonValue(values.map((value) => this.#inScope(value).holds(value.node)))
    if (node.kind === kinds.CallExpression) return this.#isListed(node)
    if (!left || !right) return undefined
    const operator = operatorToken?.getText() ?? ""
    if (operator === "instanceof") return this.#isInstance(right)
    if (operator === "in") return this.#hasField((left as SyntaxNode).text ?? "")
    if (operator !== "&&" && operator !== "||") return this.compare(left, operator, right)
    const sides = [left, right].map((side) => this.holds(side))
    const decides = operator === "||"
    return sides.includes(decides) ? decides : sides.includes(undefined) ? undefined : !decides
  }

  /** Returns the result of a comparison, such as `error.status < 500` or `error.code === "not_found"`. */
  compare(left: Node, operator: string, right: Node): boolean | undefined {
    const known = this.#compareFields(left as SyntaxNode, operator, right as SyntaxNode)
    const [a, b] = [left, right].map((side) => this.#readNumber(side))
    if (known !== undefined || a === undefined || b === undefined) return known
    if (operator === "===" || operator === "==") return a === b
    if (operator === "!==" || operator === "!=") return a !== b
    if (operator === "<" || operator === "<=") return operator === "<" ? a < b : a <= b
    return operator === ">" || operator === ">=" ? (operator === ">" ? a > b : a >= b) : undefined
  }

  /** Returns the sides of a condition that are reached. */
  #listReachedSides(condition: Node, whenTrue: Node, whenFalse: Node): readonly Node[] {
    const holds = this.holds(condition)
    return holds === undefined ? [whenTrue, whenFalse] : [holds ? whenTrue : whenFalse]
  }

  /** Returns the same conditions for an expression elsewhere. */
  #inScope(surroundings: EvaluationScope): ErrorConditions {
    return new ErrorConditions(this.#error, this.#program, this.#findReturned, surroundings, this.#depth + 1)
  }

  /** Returns the expressions that a name or a call of the project's own function stands for, if they are known. */
  #findValues(node: Node): readonly BoundExpression[] | undefined {
    const { kinds } = this.#program
    if (this.#depth > maxDepth) return undefined
    if (node.kind === kinds.Identifier) return this.#scope.names.get((node as SyntaxNode).text ?? "")
    if (node.kind !== kinds.CallExpression) return undefined
    return this.#findReturned({ ...this.#scope, node })
  }

  /** Returns the expression in parentheses, or with another type. */
  #unwrap(node: Node): Node | undefined {
    const { ParenthesizedExpression, AsExpression, NonNullExpression, SatisfiesExpression } = this.#program.kinds
    const kinds = [ParenthesizedExpression, AsExpression, NonNullExpression, SatisfiesExpression]
    return kinds.includes(node.kind as never) ? (node as SyntaxNode).expression : undefined
  }

  /**
   * Returns the name of the error's field that an expression reads: `error.status`, or `status` after `const { status
   * } = error`.
   */
  #findField(node: Node): string | undefined {
    const { kinds } = this.#program
    const { name, propertyName } = node as SyntaxNode
    if (node.kind === kinds.PropertyAccessExpression) return name?.text
    if (node.kind === kinds.BindingElement) return (propertyName ?? name)?.text
    if (node.kind !== kinds.Identifier || this.#depth > maxDepth) return undefined
    const [value, ...others] = this.#findValues(node) ?? []
    return value && others.length === 0 ? this.#inScope(value).#findField(value.node) : undefined
  }

  #isStatus(node: Node): boolean {
    return ["status", "statusCode"].includes(this.#findField(node) ?? "")
  }

  /** Returns true if an error has a field that is not empty: `"status" in error`, `if (error.issues)`. */
  #hasField(name: string): boolean | undefined {
    if (["status", "code", "name"].includes(name)) return true
    // Only a 400 has issues, from a validator.
    if (name === "issues" && this.#status !== 400) return false
    return name === "issues" ? this.#error.hasIssues : undefined
  }

  /** `typeof error.status === "number"`, `error.issues !== undefined` and `error.code === "not_found"`. */
  #compareFields(left: SyntaxNode, operator: string, right: SyntaxNode): boolean | undefined {
    if (!/^[!=]==?$/.test(operator)) return undefined
    const { kinds } = this.#program
    const isSame = operator.startsWith("=")
    if (left.kind === kinds.TypeOfExpression) {
      const field = (left.expression && this.#findField(left.expression)) ?? ""
      const kind = { status: "number", code: "string", name: "string", message: "string" }[field]
      return kind === undefined ? undefined : (kind === right.text) === isSame
    }
    const field = this.#findField(left)
    if (right.getText() === "undefined" || right.kind === kinds.NullKeyword) {
      const has = field === undefined ? undefined : this.#hasField(field)
      return typeof has === "boolean" ? has !== isSame : undefined
    }
    if (field !== "code" || right.kind !== kinds.StringLiteral) return undefined
    const code = right.text ?? ""
    const isOther = code !== defaultCodes.get(this.#status) && (knownCodes.has(code) || foreignCodePattern.test(code))
    return isOther ? !isSame : undefined
  }

  /** Evaluates `[400, 422].includes(error.status)`. */
  #isListed(node: Node): boolean | undefined {
    const { expression, arguments: given } = node as SyntaxNode
    const { name, expression: list } = (expression ?? {}) as SyntaxNode
    const elements = (list as SyntaxNode | undefined)?.elements
    const searchedNumber = given?.[0] && this.#readNumber(given[0])
    if (name?.text !== "includes" || !elements || searchedNumber === undefined) return undefined
    const elementNumbers = elements.map((element) => this.#readNumber(element))
    return elementNumbers.includes(undefined) ? undefined : elementNumbers.includes(searchedNumber)
  }

  #readNumber(node: Node): number | undefined {
    const { kinds } = this.#program
    const { condition, whenTrue, whenFalse, text } = node as SyntaxNode
    if (node.kind === kinds.NumericLiteral) return Number(text)
    if (condition && whenTrue && whenFalse)
      return findCommonValue(
        this.#listReachedSides(condition, whenTrue, whenFalse).map((side) => this.#readNumber(side)),
      )
    const inner = this.#unwrap(node)
    if (inner) return this.#readNumber(inner)
    if (this.#isStatus(node)) return this.#status
    return findCommonValue(this.#findValues(node)?.map((value) => this.#inScope(value).#readNumber(value.node)) ?? [])
  }

  /**
   * Evaluates instanceof: an error with a status is an HttpError, may be one of a class with that status, and
   * is not one of another class.
   */
  #isInstance(right: Node): boolean | undefined {
    const { checker } = this.#program
    const type = checker.getTypeAtLocation(right)
    const prototype = type && checker.getPropertyOfType(type, "prototype")
    const instance = prototype && checker.getTypeOfSymbol(prototype)
    const name = right.getText()
    if (isTypeName(name, "HttpError") || name === "Error") return true
    const statuses = instance && readErrorStatuses(instance, this.#program)
    if (!statuses) return instance ? false : undefined
    return statuses.includes(null) || statuses.includes(this.#status) ? undefined : false
  }
}

/** Returns the value that all items of a list have, if they are equal. */
function findCommonValue<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined
}
