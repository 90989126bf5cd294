/** Conditions and numbers in the code of `app.onError()`, evaluated for an error with one status. */
import { HttpError } from "../../../lib/errors.ts"
import { isTypeName } from "../../system/framework-files.ts"
import type { Node, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { errorStatuses } from "./error-statuses.ts"
import { numbersOf } from "./literal-types.ts"

/** An expression, and its place in the run of the program. */
export interface Bound extends Surroundings {
  readonly node: Node
}

/** The surroundings of an expression. */
export interface Surroundings {
  /** The values that each name may have. */
  readonly names: Names
  /** The function that contains it, and those that called it. */
  readonly callers: readonly Node[]
}

/** An error that the code is read for. */
export interface ReadError {
  readonly status: number
  /** True if a validator made it. Otherwise a 400 may have issues or not. */
  readonly hasIssues?: true
}

/** Values that a name may have. */
export type Names = ReadonlyMap<string, readonly Bound[]>

/** First status of an HttpError. */
export const firstStatus = 400
export const lastStatus = 599
/** The code that an HttpError has where none is given, by its status. */
const usualCodes = new Map(
  Array.from({ length: lastStatus - firstStatus + 1 }, (_, i) => {
    const status = firstStatus + i
    return [status, new HttpError(status, "").code]
  }),
)
const knownCodes = new Set(usualCodes.values())
/** Codes of Node and of databases: `ENOENT`, `P2002`, `23505`. */
const foreignCode = /^[A-Z\d_]+$/
/** The most names that lead from one expression to its value. */
const deepest = 10

/** Returns the expressions that a function of the project returns; undefined for another function. */
export type Returned = (call: Bound) => readonly Bound[] | undefined

/** Evaluates expressions for an error with one status. */
export class ErrorConditions {
  readonly #error: ReadError
  readonly #status: number
  readonly #program: TypeProgram
  readonly #returned: Returned
  readonly #surroundings: Surroundings
  readonly #depth: number

  constructor(
    error: ReadError,
    program: TypeProgram,
    returned: Returned,
    surroundings: Surroundings,
    depth = 0,
  ) {
    this.#error = error
    this.#status = error.status
    this.#program = program
    this.#returned = returned
    this.#surroundings = surroundings
    this.#depth = depth
  }

  /** Returns the statuses of a response: of both, if a condition chooses. */
  answers(node: Node): readonly number[] {
    const { kinds } = this.#program
    const { expression, arguments: given, condition, whenTrue, whenFalse } = node as SyntaxNode
    if (condition && whenTrue && whenFalse)
      return this.#chosen(condition, whenTrue, whenFalse).flatMap((side) => this.answers(side))
    const values = this.#values(node)
    if (values) return values.flatMap((value) => this.#at(value).answers(value.node))
    if (node.kind === kinds.CallExpression) return given?.[0] ? this.numbers(given[0]) : []
    return expression ? this.answers(expression) : [this.#status]
  }

  /** Returns the possible numbers. An unknown one is the status of the error. */
  numbers(node: Node): readonly number[] {
    const { checker } = this.#program
    const { condition, whenTrue, whenFalse } = node as SyntaxNode
    if (condition && whenTrue && whenFalse)
      return this.#chosen(condition, whenTrue, whenFalse).flatMap((side) => this.numbers(side))
    const inner = this.#unwrapped(node)
    if (inner) return this.numbers(inner)
    if (this.#isStatus(node)) return [this.#status]
    const values = this.#values(node)
    if (values) return values.flatMap((value) => this.#at(value).numbers(value.node))
    const type = checker.getTypeAtLocation(node)
    return (type && numbersOf(type, this.#program)) ?? [this.#status]
  }

  /** Returns the result of a condition; undefined if it does not depend only on the status. */
  holds(node: Node): boolean | undefined {
    const { kinds } = this.#program
    const { operand, left, right, operatorToken } = node as SyntaxNode
    if (node.kind === kinds.TrueKeyword || node.kind === kinds.FalseKeyword)
      return node.kind === kinds.TrueKeyword
    const inner = this.#unwrapped(node)
    if (inner) return this.holds(inner)
    if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("!")) {
      const inner = this.holds(operand)
      return inner === undefined ? undefined : !inner
    }
    const field = this.#field(node)
    if (field !== undefined) return this.#hasField(field)
    const values = this.#values(node)
    if (values) return same(values.map((value) => this.#at(value).holds(value.node)))
    if (node.kind === kinds.CallExpression) return this.#isListed(node)
    if (!left || !right) return undefined
    const operator = operatorToken?.getText() ?? ""
    if (operator === "instanceof") return this.#isInstance(right)
    if (operator === "in") return this.#hasField((left as SyntaxNode).text ?? "")
    if (operator !== "&&" && operator !== "||") return this.compared(left, operator, right)
    const sides = [left, right].map((side) => this.holds(side))
    const decides = operator === "||"
    return sides.includes(decides) ? decides : sides.includes(undefined) ? undefined : !decides
  }

  /** Returns the result of a comparison: of `error.status < 500`, `error.code === "not_found"`. */
  compared(left: Node, operator: string, right: Node): boolean | undefined {
    const known = this.#typed(left as SyntaxNode, operator, right as SyntaxNode)
    const [a, b] = [left, right].map((side) => this.#number(side))
    if (known !== undefined || a === undefined || b === undefined) return known
    if (operator === "===" || operator === "==") return a === b
    if (operator === "!==" || operator === "!=") return a !== b
    if (operator === "<" || operator === "<=") return operator === "<" ? a < b : a <= b
    return operator === ">" || operator === ">=" ? (operator === ">" ? a > b : a >= b) : undefined
  }

  /** Returns the sides of a condition that are reached. */
  #chosen(condition: Node, whenTrue: Node, whenFalse: Node): readonly Node[] {
    const holds = this.holds(condition)
    return holds === undefined ? [whenTrue, whenFalse] : [holds ? whenTrue : whenFalse]
  }

  /** The same for an expression elsewhere. */
  #at(surroundings: Surroundings): ErrorConditions {
    return new ErrorConditions(this.#error, this.#program, this.#returned, surroundings, this.#depth + 1)
  }

  /** Returns the expressions that a name or a call of the project's own function stands for, if they are known. */
  #values(node: Node): readonly Bound[] | undefined {
    const { kinds } = this.#program
    if (this.#depth > deepest) return undefined
    if (node.kind === kinds.Identifier) return this.#surroundings.names.get((node as SyntaxNode).text ?? "")
    if (node.kind !== kinds.CallExpression) return undefined
    return this.#returned({ ...this.#surroundings, node })
  }

  /** Returns the expression in parentheses, or with another type. */
  #unwrapped(node: Node): Node | undefined {
    const { ParenthesizedExpression, AsExpression, NonNullExpression, SatisfiesExpression } =
      this.#program.kinds
    const kinds = [ParenthesizedExpression, AsExpression, NonNullExpression, SatisfiesExpression]
    return kinds.includes(node.kind as never) ? (node as SyntaxNode).expression : undefined
  }

  /** Returns the name of the error's field that an expression reads: of `error.status`, or of `status` after `const { status } = error`. */
  #field(node: Node): string | undefined {
    const { kinds } = this.#program
    const { name, propertyName } = node as SyntaxNode
    if (node.kind === kinds.PropertyAccessExpression) return name?.text
    if (node.kind === kinds.BindingElement) return (propertyName ?? name)?.text
    if (node.kind !== kinds.Identifier || this.#depth > deepest) return undefined
    const [value, ...others] = this.#values(node) ?? []
    return value && others.length === 0 ? this.#at(value).#field(value.node) : undefined
  }

  #isStatus(node: Node): boolean {
    return ["status", "statusCode"].includes(this.#field(node) ?? "")
  }

  /** Returns true if an error has a field that is not empty: `"status" in error`, `if (error.issues)`. */
  #hasField(name: string): boolean | undefined {
    if (["status", "code", "name"].includes(name)) return true
    // Only a 400 has issues, from a validator.
    if (name === "issues" && this.#status !== 400) return false
    return name === "issues" ? this.#error.hasIssues : undefined
  }

  /** `typeof error.status === "number"`, `error.issues !== undefined` and `error.code === "not_found"`. */
  #typed(left: SyntaxNode, operator: string, right: SyntaxNode): boolean | undefined {
    if (!/^[!=]==?$/.test(operator)) return undefined
    const { kinds } = this.#program
    const isSame = operator.startsWith("=")
    if (left.kind === kinds.TypeOfExpression) {
      const field = (left.expression && this.#field(left.expression)) ?? ""
      const kind = { status: "number", code: "string", name: "string", message: "string" }[field]
      return kind === undefined ? undefined : (kind === right.text) === isSame
    }
    const field = this.#field(left)
    if (right.getText() === "undefined" || right.kind === kinds.NullKeyword) {
      const has = field === undefined ? undefined : this.#hasField(field)
      return typeof has === "boolean" ? has !== isSame : undefined
    }
    if (field !== "code" || right.kind !== kinds.StringLiteral) return undefined
    const code = right.text ?? ""
    const isOther = code !== usualCodes.get(this.#status) && (knownCodes.has(code) || foreignCode.test(code))
    return isOther ? !isSame : undefined
  }

  /** Evaluates `[400, 422].includes(error.status)`. */
  #isListed(node: Node): boolean | undefined {
    const { expression, arguments: given } = node as SyntaxNode
    const { name, expression: list } = (expression ?? {}) as SyntaxNode
    const elements = (list as SyntaxNode | undefined)?.elements
    const asked = given?.[0] && this.#number(given[0])
    if (name?.text !== "includes" || !elements || asked === undefined) return undefined
    const listed = elements.map((element) => this.#number(element))
    return listed.includes(undefined) ? undefined : listed.includes(asked)
  }

  #number(node: Node): number | undefined {
    const { kinds } = this.#program
    const { condition, whenTrue, whenFalse, text } = node as SyntaxNode
    if (node.kind === kinds.NumericLiteral) return Number(text)
    if (condition && whenTrue && whenFalse)
      return same(this.#chosen(condition, whenTrue, whenFalse).map((side) => this.#number(side)))
    const inner = this.#unwrapped(node)
    if (inner) return this.#number(inner)
    if (this.#isStatus(node)) return this.#status
    return same(this.#values(node)?.map((value) => this.#at(value).#number(value.node)) ?? [])
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
    const statuses = instance && errorStatuses(instance, this.#program)
    if (!statuses) return instance ? false : undefined
    return statuses.includes(null) || statuses.includes(this.#status) ? undefined : false
  }
}

/** Returns the value that all of a list have, if they have the same. */
function same<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined
}
