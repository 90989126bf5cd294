/** Reads calls of a context's methods: the values that a handler reads, and its responses. */
import type { Context } from "../../../lib/context.ts"
import type { Answer, Read, SentHeader, TypeData } from "../../../lib/openapi/model.ts"
import { redirects } from "../../../lib/request/headers.ts"
import type { TypedResponse } from "../../../lib/types.ts"
import type { CallExpression, Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import { answersOf, mediaOf } from "./answers.ts"
import { type Binder, boundBody } from "./bodies.ts"
import { type CallReader, warnStatus } from "./call-reader.ts"
import { answersIn, type Found, type FoundBody, type Scope } from "./found.ts"
import { numbersOf, textsOf } from "./literal-types.ts"
import { opened } from "./open-statuses.ts"

/** Methods that read a value by its name. */
const readers: Readonly<Record<string, readonly [Read["from"], Read["type"]]>> = {
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

const bodies: Readonly<Record<string, FoundBody>> = {
  form: { kind: "fields" },
  parts: { kind: "parts" },
  text: { kind: "text" },
  bytes: { kind: "bytes" },
}

/** Methods that bind a value with a schema. */
const binders: Readonly<Record<string, Binder>> = {
  bind: { kind: "json" },
  bindForm: { kind: "form" },
  bindQuery: { kind: "query" },
  // It returns more than what the schema does.
  readForm: { kind: "form", wraps: true },
}

/** Returns true if a method binds a value. */
export function isBinder(name: string): boolean {
  return Object.hasOwn(binders, name)
}

/** The methods of a context whose type is a response. */
export type AnsweringMethod = {
  [Name in keyof Context]: Context[Name] extends (...given: never[]) => infer Result
    ? [Extract<Awaited<Result>, TypedResponse>] extends [never]
      ? never
      : Name
    : never
}[keyof Context]

/** Meaning of a response method's arguments, for a context without a type. */
interface Answering {
  /** The media type, or the index of the argument that contains it, with the default. */
  readonly media: string | null | readonly [index: number, usual: string]
  /** The status, or the index of the argument that contains it. */
  readonly status: { readonly always: number } | { readonly index: number }
  readonly data?: { readonly index: number } | "binary"
}

/** A response method of the context that is missing here does not compile. */
const answerers = {
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
} as const satisfies Readonly<Record<AnsweringMethod, Answering>>

/** Returns true if a method with that name belongs to a context, for a receiver without a type. */
export function isContextMethod(name: string): boolean {
  return name in readers || name in bodies || isAnswering(name) || isSetter(name) || name in binders
}

/** Methods that set a header of the response; with null, their first argument is its name. */
const setters = { setHeader: null, appendHeader: null, setCookie: "Set-Cookie" } as const

function isSetter(name: string): name is keyof typeof setters {
  return Object.hasOwn(setters, name)
}

function headersOf(name: keyof typeof setters, call: CallExpression, { program }: CallReader): SentHeader[] {
  const usual = setters[name]
  if (usual !== null) return [{ name: usual }]
  const [first] = call.arguments
  return ((first && namesOf(first, program)) ?? []).map((name) => ({ name }))
}

function isAnswering(name: string): name is AnsweringMethod {
  return Object.hasOwn(answerers, name)
}

/**
 * Adds the facts of a call of the context's method.
 *
 * @param returned undefined if the receiver has no type, or if {@link hasTypedResult} says that it is not needed.
 */
export function readContextCall(
  name: string,
  call: CallExpression,
  returned: Type | undefined,
  found: Found,
  scope: Scope,
  reader: CallReader,
): void {
  const reads = readers[name]
  const body = bodies[name]
  const binder = binders[name]
  if (reads) found.reads.push(...readsOf(reads, call, reader))
  else if (body) found.bodies.push(...answersIn(scope, [{ ...body, at: call }]))
  else if (isSetter(name)) found.headers.push(...answersIn(scope, headersOf(name, call, reader)))
  else if (binder) found.bodies.push(...answersIn(scope, [boundBody(binder, call, returned, scope, reader)]))
  else if (isAnswering(name)) {
    const answers = returned ? answersOf(returned, call, reader.shapes) : untypedAnswers(name, call, reader)
    if (name === "sse" && hasLog(call, reader)) answers.push({ status: 204, media: null })
    const at = name === "json" && { at: reader.program.place(nameOf(call)) }
    const marked = answers.map((answer) => ({
      ...answer,
      ...at,
      ...(scope.generic && { generic: true as const }),
    }))
    const all = opened(marked, statusNode(name, call, reader), call, reader.program)
    if (all.some(({ status, open }) => status === null && !open)) warnStatus(call, reader)
    for (const { status } of all) if (status !== null) warnUnsendable(name, status, call, reader)
    found.answers.push(...answersIn(scope, all))
  }
}

/** Returns the argument that is the status. A redirect accepts its status and its URL in either order. */
function statusNode(name: AnsweringMethod, call: CallExpression, { program }: CallReader): Node | undefined {
  const { status }: Answering = answerers[name]
  if ("always" in status) return undefined
  const [first, second] = call.arguments
  const type = name === "redirect" && first ? program.checker.getTypeAtLocation(first) : undefined
  return type && (type.flags & program.flags.StringLike) !== 0 ? second : first
}

/** Returns true if a call of `c.sse()` has a log. A client that has all of the stream is then answered with 204. */
function hasLog({ arguments: [, options] }: CallExpression, { program: { checker } }: CallReader): boolean {
  const type = options && checker.getTypeAtLocation(options)
  return type !== undefined && checker.getPropertiesOfType(type).some(({ name }) => name === "log")
}

/** Reports an answer that the method refuses when it is called. */
function warnUnsendable(
  name: AnsweringMethod,
  status: number,
  call: CallExpression,
  { warn }: CallReader,
): void {
  const { media, status: given } = answerers[name]
  if ("always" in given) return
  const failure = `c.${name}(${status}, …) fails`
  if (name === "redirect") {
    if (!redirects.includes(status))
      warn(call, `${failure}: ${status} is not a redirect`, "Write 301, 302, 303, 307 or 308.")
  } else if (status < 200 || status > 599)
    warn(call, `${failure}: ${status} is not a status`, "Write an integer from 200 to 599.")
  else if (media !== null && bodiless.includes(status)) {
    const fix = status === 204 ? "Return c.noContent()." : `Return new Response(null, { status: ${status} }).`
    warn(call, `${failure}: an answer of status ${status} has no body`, fix)
  }
}

/** The statuses of answers without a body (Fetch standard, "null body status"). */
const bodiless: readonly number[] = [204, 205, 304]

/** Returns the name of a called method, at which a stack has the call. */
function nameOf({ expression }: CallExpression): Node {
  return (expression as Node & { readonly name?: Node }).name ?? expression
}

/** Returns true if the type of a call of the context's method is needed: it has a response or a body. */
export function hasTypedResult(name: string): boolean {
  return isAnswering(name) || isBinder(name)
}

function readsOf(
  [from, type]: readonly [Read["from"], Read["type"]],
  call: CallExpression,
  reader: CallReader,
): Read[] {
  const [first, second] = call.arguments
  const names = first && namesOf(first, reader.program)
  if (!names) {
    // The path's parameters come from its pattern, whatever a handler reads.
    if (first && from !== "path") warnName(first, from, reader)
    return []
  }
  const fallback = second && type !== "strings" ? literalOf(second, reader.program) : undefined
  return names.map((name) => ({ from, name, type, ...(fallback !== undefined && { fallback }) }))
}

function warnName(node: Node, from: Read["from"], { warn }: CallReader): void {
  const what = { query: "query value", header: "header", cookie: "cookie" }[from as string] ?? "form field"
  const fix = 'Write the name as a literal, such as "page", or give it a type that lists the names.'
  warn(node, `the name of this ${what} is known only when it is read`, fix)
}

/** Returns the names that an argument may have: a literal, or those in its type. */
export function namesOf(node: Node, program: TypeProgram): string[] | undefined {
  const literal = literalOf(node, program)
  if (typeof literal === "string") return [literal]
  const type = program.checker.getTypeAtLocation(node)
  return type && textsOf(type)
}

/** Returns the value of a literal. */
function literalOf(node: Node, { kinds }: TypeProgram): string | number | boolean | undefined {
  const { text, operand } = node as Node & { text?: string; operand?: Node }
  if (node.kind === kinds.StringLiteral || node.kind === kinds.NoSubstitutionTemplateLiteral) return text
  if (node.kind === kinds.NumericLiteral) return Number(text)
  if (node.kind === kinds.TrueKeyword || node.kind === kinds.FalseKeyword)
    return node.kind === kinds.TrueKeyword
  if (node.kind === kinds.PrefixUnaryExpression && operand && node.getText().startsWith("-"))
    return -Number((operand as Node & { text?: string }).text)
  return undefined
}

/** Returns the responses of a call whose context has no type, as in JavaScript, from its arguments. */
function untypedAnswers(name: AnsweringMethod, call: CallExpression, reader: CallReader): Answer[] {
  const { program, shapes } = reader
  const types = call.arguments.map((node) => program.checker.getTypeAtLocation(node))
  const { media, status, data }: Answering = answerers[name]
  const numbers = (index: number) => (types[index] ? numbersOf(types[index], program) : null)
  // A redirect accepts its status and its URL in either order.
  const other = name === "redirect" ? numbers(1) : null
  const statuses = "always" in status ? [status.always] : (numbers(status.index) ?? other ?? [null])
  if (media === null) return statuses.map((status) => ({ status, media }))
  const given = typeof media === "string" ? undefined : call.arguments[media[0]]
  const medias = typeof media === "string" ? [media] : ((given && namesOf(given, program)) ?? [media[1]])
  const sent = typeof data === "object" ? types[data.index] : undefined
  const type: TypeData = sent
    ? shapes.of(sent, call)
    : { kind: data === undefined ? "string" : data === "binary" ? "binary" : "any" }
  return statuses.flatMap((status) => medias.map((one) => ({ status, media: mediaOf(one), type })))
}
