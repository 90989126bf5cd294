/** Reads calls of a context's methods, from which the inputs and responses of a handler are known. */
import type { Context } from "../../../../lib/context.ts"
import { redirectStatuses } from "../../../../lib/request/headers.ts"
import type { TypedResponse } from "../../../../lib/types.ts"
import type { CallExpression, Node, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { AnswerFacts, SentHeader, TypeData, ValueRead } from "../../document/model.ts"
import { readAnswers, toMediaType } from "../answers.ts"
import { markOpenStatuses } from "../errors/open-statuses.ts"
import { listNumbers, listTexts } from "../literal-types.ts"
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

/** The methods of a context that return a response. */
export type AnswerMethod = {
  [Name in keyof Context]: Context[Name] extends (...given: never[]) => infer Result
    ? [Extract<Awaited<Result>, TypedResponse>] extends [never]
      ? never
      : Name
    : never
}[keyof Context]

/**
 * What the arguments of a method that returns a response mean. Needed for a context without a type, as in JavaScript.
 */
interface AnswerArguments {
  /** The media type, or the index of the argument with the media type and the default. */
  readonly media: string | null | readonly [index: number, fallback: string]
  /** The status, or the index of the argument with the status. */
  readonly status: { readonly always: number } | { readonly index: number }
  readonly data?: { readonly index: number } | "binary"
}

/** The type makes sure that this list is complete: it does not compile if a method of the context is missing. */
const answerMethods = {
  json: { media: "application/json", status: { index: 0 }, data: { index: 1 } },
  html: { media: "text/html", status: { index: 0 } },
  page: { media: "text/html", status: { index: 0 } },
  xml: { media: "application/xml", status: { index: 0 } },
  string: { media: "text/plain", status: { index: 0 } },
  blob: { media: [1, "*/*"], status: { index: 0 }, data: "binary" },
  file: { media: "*/*", status: { always: 200 }, data: "binary" },
  stream: { media: [2, "application/octet-stream"], status: { index: 0 }, data: "binary" },
  sse: { media: "text/event-stream", status: { always: 200 } },
  noContent: { media: null, status: { always: 204 } },
  redirect: { media: null, status: { index: 0 } },
} as const satisfies Readonly<Record<AnswerMethod, AnswerArguments>>

/** Returns true if a context has a method with this name. Used if the type of the receiver is not known. */
export function isContextMethod(name: string): boolean {
  return (
    name in valueMethods || name in bodyMethods || isAnswerMethod(name) || isHeaderMethod(name) || name in bindMethods
  )
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

function isAnswerMethod(name: string): name is AnswerMethod {
  return Object.hasOwn(answerMethods, name)
}

/**
 * Adds the facts of a call of a context's method.
 *
 * @param returned the type of the call; undefined if the receiver has no type, or if {@link hasTypedResult} is
 * false.
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
  else if (isAnswerMethod(name)) {
    const answers = returned ? readAnswers(returned, call, reader.shapes) : readUntypedAnswers(name, call, reader)
    if (name === "sse" && hasLog(call, reader)) answers.push({ status: 204, media: null })
    const at = name === "json" && { at: reader.program.findPlace(findNameNode(call)) }
    const marked = answers.map((answer) => ({
      ...answer,
      ...at,
      ...(scope.isGeneric && { generic: true as const }),
    }))
    const all = markOpenStatuses(marked, findStatusNode(name, call, reader), call, reader.program)
    if (all.some(({ status, open }) => status === null && !open)) warnStatus(call, reader)
    for (const { status } of all) if (status !== null) warnUnsendable(name, status, call, reader)
    found.answers.push(...limitToMethods(scope, all))
  }
}

/** Returns the argument with the status. A redirect takes status and URL in either order. */
function findStatusNode(name: AnswerMethod, call: CallExpression, { program }: CallReader): Node | undefined {
  const { status }: AnswerArguments = answerMethods[name]
  if ("always" in status) return undefined
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

/** Reports an answer for which the method throws. */
function warnUnsendable(name: AnswerMethod, status: number, call: CallExpression, { warn }: CallReader): void {
  const { media, status: given } = answerMethods[name]
  if ("always" in given) return
  const failure = `c.${name}(${status}, …) fails`
  if (name === "redirect") {
    if (!redirectStatuses.includes(status))
      warn(call, `${failure}: ${status} is not a redirect`, "Write 301, 302, 303, 307 or 308.")
  } else if (status < 200 || status > 599)
    warn(call, `${failure}: ${status} is not a status`, "Write an integer from 200 to 599.")
  else if (media !== null && bodilessStatuses.includes(status)) {
    const fix = status === 204 ? "Return c.noContent()." : `Return new Response(null, { status: ${status} }).`
    warn(call, `${failure}: an answer of status ${status} has no body`, fix)
  }
}

/** Statuses of answers without a body (Fetch standard, "null body status"). */
const bodilessStatuses: readonly number[] = [204, 205, 304]

/** Returns the name of the called method. In a stack trace, the call has the position of this name. */
function findNameNode({ expression }: CallExpression): Node {
  return (expression as Node & { readonly name?: Node }).name ?? expression
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
  const { text, operand } = node as Node & { text?: string; operand?: Node }
  if (node.kind === kinds.StringLiteral || node.kind === kinds.NoSubstitutionTemplateLiteral) return text
  if (node.kind === kinds.NumericLiteral) return Number(text)
  if (node.kind === kinds.TrueKeyword || node.kind === kinds.FalseKeyword) return node.kind === kinds.TrueKeyword
  if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("-"))
    return -Number((operand as Node & { text?: string }).text)
  return undefined
}

/** Returns the responses of a call from its arguments, for a context without a type, as in JavaScript. */
function readUntypedAnswers(name: AnswerMethod, call: CallExpression, reader: CallReader): AnswerFacts[] {
  const { program, shapes } = reader
  const types = call.arguments.map((node) => program.checker.getTypeAtLocation(node))
  const { media, status, data }: AnswerArguments = answerMethods[name]
  const numbers = (index: number) => (types[index] ? listNumbers(types[index], program) : null)
  // A redirect takes status and URL in either order.
  const other = name === "redirect" ? numbers(1) : null
  const statuses = "always" in status ? [status.always] : (numbers(status.index) ?? other ?? [null])
  if (media === null) return statuses.map((status) => ({ status, media }))
  const given = typeof media === "string" ? undefined : call.arguments[media[0]]
  const medias = typeof media === "string" ? [media] : ((given && readArgumentNames(given, program)) ?? [media[1]])
  const sent = typeof data === "object" ? types[data.index] : undefined
  const type: TypeData = sent
    ? shapes.convert(sent, call)
    : { kind: data === undefined ? "string" : data === "binary" ? "binary" : "any" }
  return statuses.flatMap((status) => medias.map((one) => ({ status, media: toMediaType(one), type })))
}
