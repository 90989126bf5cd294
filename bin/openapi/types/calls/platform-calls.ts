/**
 * Reads calls of the platform's functions: `Response.json()`, `new Response()`, and the methods that read bodies
 * and form fields.
 */

import type { CallExpression, Node, Type, TypeProgram } from "../../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../../tools/typescript/syntax.ts"
import type { AnswerFacts, TypeData } from "../../document/model.ts"
import { toMediaType } from "../answers.ts"
import { markOpenStatuses } from "../errors/open-statuses.ts"
import { listNumbers, listTexts } from "../literal-types.ts"
import { isArray } from "../syntax-of-types.ts"
import { type CallReader, warnStatus } from "./call-reader.ts"
import { readArgumentNames } from "./context-calls.ts"
import type { FoundAnswer, FoundBody, FoundFacts } from "./found-facts.ts"
import { findTarget } from "./functions.ts"

const requestBodies: Readonly<Record<string, FoundBody>> = {
  json: { kind: "json", type: { kind: "any" } },
  text: { kind: "text" },
  formData: { kind: "fields" },
  arrayBuffer: { kind: "bytes" },
  blob: { kind: "bytes" },
  bytes: { kind: "bytes" },
}

/** Adds the facts of a call of a function that belongs neither to the project nor to fw. */
export function readPlatformCall(call: CallExpression, name: string, found: FoundFacts, reader: CallReader): void {
  const { kinds } = reader.program
  const callee = call.expression.getText()
  if ((call as Node).kind === kinds.NewExpression) {
    if (callee === "Response") readNewResponse(call, found, reader)
  } else if (callee === "Response.json") {
    const [data, init] = call.arguments
    const type = data && reader.program.checker.getTypeAtLocation(data)
    const shape: TypeData = type ? reader.shapes.convert(type, call) : { kind: "any" }
    const media = toMediaType(readContentType(init, reader.program) ?? "application/json")
    const answers = readStatuses(init, reader).map((status): AnswerFacts => ({ status, media, type: shape }))
    found.answers.push(...resolveInitStatus(answers, init, call, reader))
  } else if (callee === "Response.redirect") {
    const given = call.arguments[1] && reader.program.checker.getTypeAtLocation(call.arguments[1])
    const list = given ? listNumbers(given, reader.program) : [302]
    for (const status of list ?? [null]) found.answers.push({ status, media: null })
  } else if (/\.request\.\w+$/.test(callee) && name in requestBodies)
    found.bodies.push({ ...requestBodies[name], at: call } as FoundBody)
  else if (["get", "getAll", "has"].includes(name)) readFormField(call, name, found, reader)
}

/** Reads `proxy.responseJSON(status, data)`, which is a response of the proxy. */
export function readProxyCall(call: CallExpression, name: string, found: FoundFacts, reader: CallReader): void {
  if (name !== "responseJSON") return
  const { checker } = reader.program
  const [status, data] = call.arguments.map((argument) => checker.getTypeAtLocation(argument))
  const list = status && listNumbers(status, reader.program)
  const type: TypeData = data ? reader.shapes.convert(data, call) : { kind: "any" }
  for (const number of list ?? []) found.answers.push({ status: number, media: "application/json", type })
}

/** Reads a call that gets a field of a FormData. */
function readFormField(call: CallExpression, name: string, found: FoundFacts, reader: CallReader): void {
  const { checker } = reader.program
  // Most objects with a method of this name are not forms, and it takes time to ask for their type.
  const { text } = call.getSourceFile()
  if (!text.includes("form") && !text.includes("Form")) return
  const receiver = (call.expression as SyntaxNode).expression as Node
  const type = checker.getTypeAtLocation(receiver)
  if (type?.getSymbol()?.name !== "FormData") return
  const names = call.arguments[0] && readArgumentNames(call.arguments[0], reader.program)
  const from = isFileField(call, reader.program) ? "file" : "field"
  for (const field of names ?? [])
    found.reads.push({ from, name: field, type: name === "getAll" ? "strings" : "string" })
}

/** Returns true if a field is used as a file: `form.get("cover") as File`. */
function isFileField(call: CallExpression, program: TypeProgram): boolean {
  const { kinds } = program
  const wrappers = [
    kinds.AsExpression,
    kinds.TypeAssertionExpression,
    kinds.ParenthesizedExpression,
    kinds.NonNullExpression,
    kinds.SatisfiesExpression,
  ]
  let node = call as Node as SyntaxNode
  while (wrappers.includes(node.parent.kind)) node = node.parent
  if (/\b(?:File|Blob)\b/.test(node.type?.getText() ?? "")) return true
  return isFileType(program.checker.getTypeAtLocation(node), program)
}

/** Returns true for the type of a file, of a list of files, and of an optional file. */
function isFileType(type: Type | undefined, program: TypeProgram): boolean {
  if (!type) return false
  const present = program.checker.getNonNullableType(type)
  if (present?.isUnionType()) return present.getTypes().every((part) => isFileType(part, program))
  if (present && isArray(present)) return isFileType(program.checker.getTypeArguments(present)[0], program)
  return /^(?:File|Blob)$/.test(present?.getSymbol()?.name ?? "")
}

function readNewResponse(call: CallExpression, found: FoundFacts, reader: CallReader): void {
  const { checker, flags: f } = reader.program
  const [body, init] = call.arguments ?? []
  const type = body && checker.getTypeAtLocation(body)
  const isEmpty = !type || (type.flags & (f.Null | f.Undefined)) !== 0
  const isText = type !== undefined && (type.flags & f.StringLike) !== 0
  const declared = readContentType(init, reader.program)
  const media = isEmpty ? null : toMediaType(declared ?? (isText ? "text/plain" : "*/*"))
  const shape: TypeData = isText ? { kind: "string" } : { kind: "binary" }
  const answers = readStatuses(init, reader).map((status): AnswerFacts => {
    if (media === null) return { status, media }
    return { status, media, type: media.includes("json") ? { kind: "any" } : shape }
  })
  found.answers.push(...resolveInitStatus(answers, init, call, reader))
}

/**
 * Returns the responses of a call with options such as `{ status }`, and reports a status that is known only at run
 * time, unless the function gets it as a parameter.
 */
function resolveInitStatus(
  answers: readonly AnswerFacts[],
  init: Node | undefined,
  call: CallExpression,
  reader: CallReader,
): FoundAnswer[] {
  const status = init && findProperty(init, "status", reader.program)
  const all = markOpenStatuses(answers, status, call, reader.program)
  if (init && all.some(({ status, open }) => status === null && !open)) warnStatus(init, reader)
  return all
}

function readStatuses(init: Node | undefined, reader: CallReader): (number | null)[] {
  const { checker } = reader.program
  const type = init && checker.getTypeAtLocation(init)
  const property = type && checker.getPropertyOfType(type, "status")
  if (!init || !property) return [200]
  const written = findProperty(init, "status", reader.program)
  const known = written ? checker.getTypeAtLocation(written) : checker.getTypeOfSymbol(property)
  return (known && listNumbers(known, reader.program)) ?? [null]
}

/**
 * Returns the media type in `{ headers: { "content-type": "text/csv" } }`. The object may also be in a constant or
 * in `new Headers({ … })`.
 */
function readContentType(init: Node | undefined, program: TypeProgram): string | undefined {
  const headers = init && findProperty(init, "headers", program)
  const [given = headers] = (headers as Partial<CallExpression> | undefined)?.arguments ?? []
  const literal = (given && findTarget(given, program)) ?? given
  const value = literal && findProperty(literal, "content-type", program)
  const type = value && program.checker.getTypeAtLocation(value)
  return type && listTexts(type)?.[0]
}

/** Returns the value of a property in an object literal. Names are compared without regard to case. */
export function findProperty(node: Node, name: string, { kinds }: TypeProgram): Node | undefined {
  if (node.kind !== kinds.ObjectLiteralExpression) return undefined
  const { properties = [] } = node as SyntaxNode
  const found = properties.find(({ name: written }) => written?.text?.toLowerCase() === name)
  return found?.initializer ?? found?.name
}
