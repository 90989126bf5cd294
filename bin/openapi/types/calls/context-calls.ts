/** Reads calls of a context's methods, from which the inputs and responses of a handler are known. */
import { answerMethods } from "../../../system/framework-files.ts"
import type { CallExpression, Node, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import type { SentHeader, ValueRead } from "../../document/model.ts"
import { readAnswers } from "../answers.ts"
import { markOpenStatuses } from "../errors/open-statuses.ts"
import { listTexts } from "../literal-types.ts"
import { type Binder, readBoundBody } from "./bodies.ts"
import { type CallReader, warnStatus } from "./call-reader.ts"
import { type FoundBody, type FoundFacts, limitToMethods, type Scope } from "./found-facts.ts"

/** Methods that read a value by its name. */
const valueMethods: Readonly<Record<string, readonly [ValueRead["from"], ValueRead["type"]]>> = {
  param: ["path", "string"],
  paramInt: ["path", "integer"],
  query: ["query", "string"],
  queryDefault: ["query", "string"],
  queryInt: ["query", "integer"],
  queryBool: ["query", "boolean"],
  queryAll: ["query", "strings"],
  header: ["header", "string"],
  cookie: ["cookie", "string"],
  formValue: ["field", "string"],
  formFile: ["file", "string"],
}

const bodyMethods: Readonly<Record<string, FoundBody>> = {
  form: { kind: "fields" },
  parts: { kind: "parts" },
  text: { kind: "text" },
  bytes: { kind: "bytes" },
}

/** Methods that bind a value to a type. */
const bindMethods: Readonly<Record<string, Binder>> = {
  bind: { kind: "json" },
  bindForm: { kind: "form" },
  bindQuery: { kind: "query" },
  // `c.readForm()` returns an object that contains the result of the schema.
  readForm: { kind: "form", wrapsResult: true },
}

/** Returns true for a method that binds a value. */
export function isBindMethod(name: string): boolean {
  return Object.hasOwn(bindMethods, name)
}

/** Methods that set a header of the response. With null, the first argument is the name of the header. */
const headerMethods = { setHeader: null, appendHeader: null, setCookie: "Set-Cookie" } as const

function isHeaderMethod(name: string): name is keyof typeof headerMethods {
  return Object.hasOwn(headerMethods, name)
}

function listSetHeaders(name: keyof typeof headerMethods, call: CallExpression, { program }: CallReader): SentHeader[] {
  const fixedName = headerMethods[name]
  if (fixedName !== null) return [{ name: fixedName }]
  const [first] = call.arguments
  return ((first && readArgumentNames(first, program)) ?? []).map((name) => ({ name }))
}

function isAnswerMethod(name: string): boolean {
  return answerMethods.includes(name)
}

/**
 * Adds the facts of a call of a context's method.
 *
 * @param returned the type of the call; undefined if {@link hasTypedResult} is false.
 */
export function readContextCall(
  name: string,
  call: CallExpression,
  returned: Type | undefined,
  found: FoundFacts,
  scope: Scope,
  reader: CallReader,
): void {
  const reads = valueMethods[name]
  const body = bodyMethods[name]
  const binder = bindMethods[name]
  if (reads) found.reads.push(...listReads(reads, call, reader))
  else if (body) found.bodies.push(...limitToMethods(scope, [{ ...body, at: call }]))
  else if (isHeaderMethod(name)) found.headers.push(...limitToMethods(scope, listSetHeaders(name, call, reader)))
  else if (binder) found.bodies.push(...limitToMethods(scope, [readBoundBody(binder, call, returned, scope, reader)]))
  else if (isAnswerMethod(name) && returned) {
    const answers = readAnswers(returned, call, reader.shapes)
    if (name === "sse" && hasLog(call, reader)) answers.push({ status: 204, media: null })
    const at = name === "json" && { at: reader.program.findPlace(findNameNode(call)) }
    const marked = answers.map((answer) => ({
      ...answer,
      ...at,
      ...(scope.isGeneric && { generic: true as const }),
    }))
    const all = markOpenStatuses(marked, findStatusNode(name, call, reader), call, reader.program)
    if (all.some(({ status, open }) => status === null && !open)) warnStatus(call, reader)
    found.answers.push(...limitToMethods(scope, all))
  }
}

/** Returns the argument with the status. A redirect takes status and URL in either order. */
function findStatusNode(name: string, call: CallExpression, { program }: CallReader): Node | undefined {
  const [first, second] = call.arguments
  const type = name === "redirect" && first ? program.checker.getTypeAtLocation(first) : undefined
  return type && (type.flags & program.flags.StringLike) !== 0 ? second : first
}

/**
 * Returns true if a call of `c.sse()` has a log. Then a client that has already received the whole stream gets a
 * 204.
 */
function hasLog({ arguments: [, options] }: CallExpression, { program: { checker } }: CallReader): boolean {
  const type = options && checker.getTypeAtLocation(options)
  return type !== undefined && checker.getPropertiesOfType(type).some(({ name }) => name === "log")
}

/** Returns the name of the called method. In a stack trace, the call has the position of this name. */
function findNameNode({ expression }: CallExpression): Node {
  return (expression as SyntaxNode).name ?? expression
}

/** Returns true if a method's result contains a response or a body, so that its type is needed. */
export function hasTypedResult(name: string): boolean {
  return isAnswerMethod(name) || isBindMethod(name)
}

function listReads(
  [from, type]: readonly [ValueRead["from"], ValueRead["type"]],
  call: CallExpression,
  reader: CallReader,
): ValueRead[] {
  const [first, second] = call.arguments
  const names = first && readArgumentNames(first, reader.program)
  if (!names) {
    // The path parameters are known from the pattern, even if the handler's code hides their names.
    if (first && from !== "path") warnName(first, from, reader)
    return []
  }
  const fallback = second && type !== "strings" ? readLiteral(second, reader.program) : undefined
  return names.map((name) => ({ from, name, type, ...(fallback !== undefined && { fallback }) }))
}

function warnName(node: Node, from: ValueRead["from"], { warn }: CallReader): void {
  const valueName = { query: "query value", header: "header", cookie: "cookie" }[from as string] ?? "form field"
  const fix = 'Write the name as a literal, such as "page", or give it a type that lists the names.'
  warn(node, `the name of this ${valueName} is known only when it is read`, fix)
}

/** Returns the names that an argument may have: a literal, or the literals in its type. */
export function readArgumentNames(node: Node, program: TypeProgram): string[] | undefined {
  const literal = readLiteral(node, program)
  if (typeof literal === "string") return [literal]
  const type = program.checker.getTypeAtLocation(node)
  return type && listTexts(type)
}

/** Returns the value of a literal. */
function readLiteral(node: Node, { kinds }: TypeProgram): string | number | boolean | undefined {
  const { text, operand } = node as SyntaxNode
  if (node.kind === kinds.StringLiteral || node.kind === kinds.NoSubstitutionTemplateLiteral) return text
  if (node.kind === kinds.NumericLiteral) return Number(text)
  if (node.kind === kinds.TrueKeyword || node.kind === kinds.FalseKeyword) return node.kind === kinds.TrueKeyword
  if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("-"))
    return -Number(operand.text)
  return undefined
}
