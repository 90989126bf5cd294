/** The statuses that `app.onError()` sends for each error, read from its source. */
import { HttpError } from "../../../lib/errors.ts"
import { isTypeName } from "../../system/framework-files.ts"
import type { Node, TypeProgram } from "../../tools/typescript/program.ts"
import { errorStatuses } from "./error-statuses.ts"
import { leaves } from "./functions.ts"
import { numbersOf } from "./literal-types.ts"

type Parts = Node & {
  readonly expression?: Node
  readonly name?: Node & { readonly text?: string }
  readonly body?: Node
  readonly statements?: readonly Node[]
  readonly thenStatement?: Node
  readonly elseStatement?: Node
  readonly condition?: Node
  readonly whenTrue?: Node
  readonly whenFalse?: Node
  readonly initializer?: Node
  readonly declarationList?: { readonly declarations: readonly Parts[] }
  readonly left?: Node
  readonly right?: Node
  readonly operatorToken?: Node
  readonly operand?: Node
  readonly arguments?: readonly Node[]
  readonly elements?: readonly Node[]
  readonly text?: string
}

/** First status of an HttpError. */
const first = 400
const last = 599
/** The code that an HttpError has where none is given, by its status. */
const usualCodes = new Map(
  Array.from({ length: last - first + 1 }, (_, i) => [first + i, new HttpError(first + i, "").code]),
)
const knownCodes = new Set(usualCodes.values())
/** Codes of Node and of databases: `ENOENT`, `P2002`, `23505`. */
const foreignCode = /^[A-Z\d_]+$/

/**
 * Returns the statuses sent for an error of each status, if they may differ. An unknown condition counts both
 * ways.
 */
export function sentStatuses(handler: Node, program: TypeProgram): ReadonlyMap<number, readonly number[]> {
  const { body, kind } = handler as Parts
  const sent = new Map<number, readonly number[]>()
  if (!body) return sent
  for (let status = first; status <= last; status++) {
    const reading = new Reading(status, program)
    if (body.kind === program.kinds.Block) reading.block((body as Parts).statements ?? [])
    else if (kind === program.kinds.ArrowFunction) reading.answer(body)
    const found = [...reading.found].sort((a, b) => a - b)
    if (found.length > 0 && (found.length > 1 || found[0] !== status)) sent.set(status, found)
  }
  return sent
}

/** Reads the function for an error with one status. */
class Reading {
  readonly found = new Set<number>()
  readonly #status: number
  readonly #program: TypeProgram
  readonly #names = new Map<string, Node>()

  constructor(status: number, program: TypeProgram) {
    this.#status = status
    this.#program = program
  }

  /** Reads statements in order; returns true if nothing after them is reached. */
  block(statements: readonly Node[]): boolean {
    return statements.some((statement) => this.#statement(statement as Parts))
  }

  #statement(node: Parts): boolean {
    const { kinds } = this.#program
    if (node.kind === kinds.Block) return this.block(node.statements ?? [])
    if (node.kind === kinds.ReturnStatement) {
      if (node.expression) this.answer(node.expression)
      return true
    }
    if (node.kind === kinds.IfStatement) return this.#if(node)
    for (const { name, initializer } of node.declarationList?.declarations ?? [])
      if (name?.text !== undefined && initializer) this.#names.set(name.text, initializer)
    return leaves(node, this.#program)
  }

  #if({ expression, thenStatement, elseStatement }: Parts): boolean {
    const holds = expression && this.#holds(expression as Parts)
    const then = holds !== false && thenStatement ? this.#statement(thenStatement as Parts) : false
    const other = holds !== true && elseStatement ? this.#statement(elseStatement as Parts) : false
    return holds === undefined ? then && other : holds ? then : other
  }

  /** Records the statuses of a response: both, if a condition chooses. */
  answer(node: Node): void {
    const { kinds } = this.#program
    const { expression, arguments: given, condition, whenTrue, whenFalse } = node as Parts
    if (condition && whenTrue && whenFalse) {
      const holds = this.#holds(condition as Parts)
      if (holds !== false) this.answer(whenTrue)
      if (holds !== true) this.answer(whenFalse)
    } else if (node.kind === kinds.CallExpression) {
      const [status] = given ?? []
      if (status) for (const number of this.#numbers(status as Parts)) this.found.add(number)
    } else if (expression) this.answer(expression)
    else this.found.add(this.#status)
  }

  /** Returns the possible statuses. An unknown one is that of the error. */
  #numbers(node: Parts): readonly number[] {
    const { kinds, checker } = this.#program
    const { condition, whenTrue, whenFalse, expression, name, text } = node
    if (condition && whenTrue && whenFalse) {
      const holds = this.#holds(condition as Parts)
      const sides = holds === undefined ? [whenTrue, whenFalse] : [holds ? whenTrue : whenFalse]
      return sides.flatMap((side) => this.#numbers(side as Parts))
    }
    if (node.kind === kinds.ParenthesizedExpression && expression) return this.#numbers(expression as Parts)
    if (name?.text === "status" || name?.text === "statusCode") return [this.#status]
    const initializer = node.kind === kinds.Identifier && this.#names.get(text ?? "")
    if (initializer) return this.#numbers(initializer as Parts)
    const type = checker.getTypeAtLocation(node)
    return (type && numbersOf(type, this.#program)) ?? [this.#status]
  }

  /** Returns the result of a condition; undefined if it does not depend only on the status. */
  #holds(node: Parts): boolean | undefined {
    const { kinds } = this.#program
    const { expression, operand, left, right, operatorToken } = node
    if (node.kind === kinds.ParenthesizedExpression && expression) return this.#holds(expression as Parts)
    if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("!")) {
      const inner = this.#holds(operand as Parts)
      return inner === undefined ? undefined : !inner
    }
    if (node.kind === kinds.CallExpression) return this.#isListed(node)
    const initializer = node.kind === kinds.Identifier && this.#names.get(node.text ?? "")
    if (initializer) return this.#holds(initializer as Parts)
    const field = node.kind === kinds.PropertyAccessExpression && node.name?.text
    if (field) return this.#hasField(field)
    if (!left || !right) return undefined
    const operator = operatorToken?.getText() ?? ""
    if (operator === "instanceof") return this.#isInstance(right)
    if (operator === "in") return this.#hasField((left as Parts).text ?? "")
    if (operator === "&&" || operator === "||") {
      const sides = [left, right].map((side) => this.#holds(side as Parts))
      const decides = operator === "||"
      return sides.includes(decides) ? decides : sides.includes(undefined) ? undefined : !decides
    }
    return (
      this.#typed(left as Parts, operator, right as Parts) ??
      this.#compared(left as Parts, operator, right as Parts)
    )
  }

  /** Returns true if an error has a field that is not empty: `"status" in error`, `if (error.issues)`. */
  #hasField(name: string): boolean | undefined {
    if (["status", "code", "name"].includes(name)) return true
    // Only a 400 has issues, from a validator.
    return name === "issues" && this.#status !== 400 ? false : undefined
  }

  /** `typeof error.status === "number"`, `error.issues !== undefined` and `error.code === "not_found"`. */
  #typed(left: Parts, operator: string, right: Parts): boolean | undefined {
    if (!/^[!=]==?$/.test(operator)) return undefined
    const { kinds } = this.#program
    const isSame = operator.startsWith("=")
    const { expression, name } = left
    if (left.kind === kinds.TypeOfExpression) {
      const field = (expression as Parts | undefined)?.name?.text ?? ""
      const kind = { status: "number", code: "string", name: "string", message: "string" }[field]
      return kind === undefined ? undefined : (kind === right.text) === isSame
    }
    if (right.getText() === "undefined" || right.kind === kinds.NullKeyword) {
      const has = name && this.#hasField(name.text ?? "")
      return typeof has === "boolean" ? has !== isSame : undefined
    }
    if (name?.text !== "code" || right.kind !== kinds.StringLiteral) return undefined
    const code = right.text ?? ""
    const isOther = code !== usualCodes.get(this.#status) && (knownCodes.has(code) || foreignCode.test(code))
    return isOther ? !isSame : undefined
  }

  #compared(left: Parts, operator: string, right: Parts): boolean | undefined {
    const [a, b] = [left, right].map((side) => this.#number(side))
    if (a === undefined || b === undefined) return undefined
    if (operator === "===" || operator === "==") return a === b
    if (operator === "!==" || operator === "!=") return a !== b
    if (operator === "<" || operator === "<=") return operator === "<" ? a < b : a <= b
    return operator === ">" || operator === ">=" ? (operator === ">" ? a > b : a >= b) : undefined
  }

  /** Evaluates `[400, 422].includes(error.status)`. */
  #isListed({ expression, arguments: given }: Parts): boolean | undefined {
    const { name, expression: list } = (expression ?? {}) as Parts
    const elements = (list as Parts | undefined)?.elements
    const asked = given?.[0] && this.#number(given[0] as Parts)
    if (name?.text !== "includes" || !elements || asked === undefined) return undefined
    const listed = elements.map((element) => this.#number(element as Parts))
    return listed.includes(undefined) ? undefined : listed.includes(asked)
  }

  #number(node: Parts): number | undefined {
    const { kinds } = this.#program
    const { condition, whenTrue, whenFalse, expression } = node
    if (node.kind === kinds.NumericLiteral) return Number(node.text)
    if (node.kind === kinds.ParenthesizedExpression && expression) return this.#number(expression as Parts)
    if (condition && whenTrue && whenFalse) {
      const holds = this.#holds(condition as Parts)
      return holds === undefined ? undefined : this.#number((holds ? whenTrue : whenFalse) as Parts)
    }
    if (node.name?.text === "status" || node.name?.text === "statusCode") return this.#status
    const initializer = node.kind === kinds.Identifier && this.#names.get(node.text ?? "")
    return initializer ? this.#number(initializer as Parts) : undefined
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
