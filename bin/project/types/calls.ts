/** What a call of a context's method says of its handler: what is read, and what is answered. Called by `facts.ts`. */
import type { Answer, Read, TypeData } from "../../../lib/openapi/model.ts"
import type { CallExpression, Node, Signature, Type, TypeProgram } from "../typescript.ts"
import { answersOf, awaited, mediaType, numbersOf, textsOf } from "./answers.ts"
import { answersIn, type Found, type FoundBody, type Scope } from "./found.ts"
import type { Shapes } from "./shapes.ts"

/** Methods that read one thing by its name. */
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
  form: { kind: "form" },
  text: { kind: "text" },
  bytes: { kind: "bytes" },
}

/** Methods that answer, with the media type of what they send. */
const answerers: Readonly<Record<string, string | null>> = {
  json: "application/json",
  html: "text/html",
  string: "text/plain",
  blob: "*/*",
  noContent: null,
  redirect: null,
}

/** Says what could not be known. */
export type Warn = (node: Node, message: string, fix: string) => void

/** What a reading of calls works with. */
export interface CallReader {
  readonly program: TypeProgram
  readonly shapes: Shapes
  readonly warn: Warn
  /** Keeps a schema's place, and gives its id. */
  readonly schema: (node: Node) => string
}

/** Whether a method of that name belongs to a context, where its receiver has no type to tell. */
export function isContextMethod(name: string): boolean {
  return name in readers || name in bodies || name in answerers || name === "bind"
}

/** Adds what a call of the context's method says. @param signature undefined where the receiver has no type. */
export function readContextCall(
  name: string,
  call: CallExpression,
  signature: Signature | undefined,
  found: Found,
  scope: Scope,
  reader: CallReader,
): void {
  const { program } = reader
  const reads = readers[name]
  const body = bodies[name]
  if (reads) found.reads.push(...readsOf(reads, call, reader))
  else if (body) found.bodies.push(body)
  else if (name === "bind") found.bodies.push(boundBody(call, signature, scope, reader))
  else if (name in answerers) {
    const type = signature && program.checker.getReturnTypeOfSignature(signature)
    const answers = type ? answersOf(type, call, reader.shapes) : untypedAnswers(name, call, reader)
    if (answers.some(({ status }) => status === null)) warnStatus(call, reader)
    const marked = answers.map((answer) => (scope.generic ? { ...answer, generic: true as const } : answer))
    found.answers.push(...answersIn(scope, marked))
  }
}

/** Says that a status is not known. */
export function warnStatus(node: Node, { warn }: CallReader): void {
  const fix = "Write the status as a number, or give it a type that lists its values: status: 200 | 201."
  warn(node, "the status of this answer is known only when it is sent", fix)
}

function readsOf(
  [from, type]: readonly [Read["from"], Read["type"]],
  call: CallExpression,
  reader: CallReader,
): Read[] {
  const [first, second] = call.arguments
  const names = first && namesOf(first, reader.program)
  if (!names) {
    // A path's parameters are those of its pattern, whatever a handler reads.
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

/** The names that an argument stands for: a literal, or what its type lists. */
export function namesOf(node: Node, program: TypeProgram): string[] | undefined {
  const literal = literalOf(node, program)
  if (typeof literal === "string") return [literal]
  const type = program.checker.getTypeAtLocation(node)
  return type && textsOf(type)
}

/** The value of a literal as it is written. */
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

function boundBody(
  call: CallExpression,
  signature: Signature | undefined,
  { generic }: Scope,
  reader: CallReader,
): FoundBody {
  const { checker } = reader.program
  const [schema] = call.arguments
  const returned = signature && checker.getReturnTypeOfSignature(signature)
  const [output] = returned ? awaited(returned, reader.program) : []
  const type = schema ? schemaInput(schema, output, call, reader) : shape(output, call, reader)
  const marked = generic ? { generic: true as const } : {}
  return { kind: "json", type, ...(schema && { schema: reader.schema(schema) }), ...marked }
}

function shape(type: Type | undefined, from: Node, { shapes }: CallReader): TypeData {
  return type ? shapes.of(type, from) : { kind: "any" }
}

/** What a schema takes, which may be less than what it makes of it: fields that it fills in are optional. */
export function schemaInput(
  schema: Node,
  output: Type | undefined,
  from: Node,
  reader: CallReader,
): TypeData {
  const { checker, flags: f } = reader.program
  const own = checker.getTypeAtLocation(schema)
  const standard = own && typeOf("~standard", own, reader)
  const types = standard && typeOf("types", standard, reader)
  const present = types && checker.getNonNullableType(types)
  const input = present && typeOf("input", present, reader)
  if (input && !(input.flags & f.AnyOrUnknown)) return reader.shapes.of(input, from)
  const made = output ?? (present && typeOf("output", present, reader))
  return shape(made, from, reader)
}

/** Whether an argument is a schema. */
export function isSchema(node: Node, reader: CallReader): boolean {
  const type = reader.program.checker.getTypeAtLocation(node)
  return type !== undefined && reader.program.checker.getPropertyOfType(type, "~standard") !== undefined
}

/** The type of a property. */
export function typeOf(name: string, type: Type, { program }: Pick<CallReader, "program">): Type | undefined {
  const property = program.checker.getPropertyOfType(type, name)
  return property && program.checker.getTypeOfSymbol(property)
}

/** The answers of a call whose context has no type, as in JavaScript: by its arguments. */
function untypedAnswers(name: string, call: CallExpression, reader: CallReader): Answer[] {
  const { program, shapes } = reader
  const { checker } = program
  const [first, second] = call.arguments
  if (name === "noContent") return [{ status: 204, media: null }]
  const types = call.arguments.map((node) => checker.getTypeAtLocation(node))
  const at = name === "redirect" && types[0] && numbersOf(types[0], program) === null ? 1 : 0
  const statuses = (types[at] && numbersOf(types[at], program)) ?? [null]
  if (name === "redirect") return statuses.map((status) => ({ status, media: null }))
  const media =
    name === "blob" ? ((second && namesOf(second, program)) ?? ["*/*"]) : [answerers[name] as string]
  const text: TypeData = name === "blob" ? { kind: "binary" } : { kind: "string" }
  const type =
    name === "json" ? (types[1] ? shapes.of(types[1], first ?? call) : { kind: "any" as const }) : text
  return statuses.flatMap((status) => media.map((one) => ({ status, media: mediaType(one), type })))
}
