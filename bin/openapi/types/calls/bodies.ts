/** Reads the bodies and queries that handlers bind to types, themselves or through functions of the project. */

import { isTypeName } from "../../../system/framework-files.ts"
import type { CallExpression, Node, Signature, Type } from "../../../tools/typescript/program.ts"
import type { TypeData } from "../../document/model.ts"
import { listPromisedTypes } from "../answers.ts"
import { toUnion } from "../type-data.ts"
import { readBoundType, readMethodOverload } from "./bound-type.ts"
import { type CallReader, readPropertyType } from "./call-reader.ts"
import type { FoundBody, OpenBody, Scope } from "./found-facts.ts"
import { findInstantiation } from "./instantiations.ts"
import { findArgument, findParameter } from "./parameters.ts"

/** Any JSON value. */
const anyType: TypeData = { kind: "any" }

/** A body that is bound to a type. */
type SchemaBody = Extract<FoundBody, { readonly type: TypeData }>

/** A body whose type depends on how the function that binds it is called. It is called open. */
type OpenFoundBody = SchemaBody & { readonly open: OpenBody; readonly at: Node }

/** A method of the context that binds a value. */
export interface Binder {
  readonly kind: SchemaBody["kind"]
  /** True if the method returns an object that contains the result of the schema. */
  readonly wrapsResult?: true
}

/**
 * Returns the body or query that a call binds, such as `c.bind(schema)`.
 *
 * @param returned the type of the value that the call returns.
 */
export function readBoundBody(
  { kind, wrapsResult }: Binder,
  call: CallExpression,
  returned: Type | undefined,
  { isGeneric: generic }: Scope,
  reader: CallReader,
): FoundBody {
  const { checker } = reader.program
  const [first] = call.arguments
  const signature = first && checker.getResolvedSignature(call)
  // Without a schema, the first argument may be an object with options.
  const schema = !signature || readMethodOverload(signature, reader.program).hasSchema ? first : undefined
  const body = { kind, at: call } as const
  if (!schema) {
    const type = wrapsResult ? readBoundType(call, reader.program, wrapsResult) : returned
    return { ...body, type: toInputShape(kind, type, call, reader), ...(generic && { open: { type } }) }
  }
  const type = wrapsResult ? undefined : returned
  const origin = findParameter(schema, reader.program)
  if (origin) return { ...body, type: anyType, open: { type, schema: origin } }
  const schemaType = checker.getTypeAtLocation(schema)
  const inputData = schemaType ? readSchemaInput(kind, schemaType, type, call, reader) : anyType
  if (inputData.kind === "any" && isOpenSchema(schemaType, reader)) warnBody(kind, call, reader)
  return { ...body, type: inputData, schema: reader.addSchema(schema, []) }
}

/** Returns true if the schema is not known: its type is the general interface, or a type parameter. */
function isOpenSchema(type: Type | undefined, { program }: CallReader): boolean {
  if (type && type.flags & program.flags.TypeParameter) return true
  return isTypeName(type?.getSymbol()?.name, "StandardSchema")
}

/** Resolves an open body for one call of the function that binds it. */
export function resolveBodyForCall(
  body: OpenFoundBody,
  call: CallExpression,
  signature: Signature,
  target: Node,
  { isGeneric: generic }: Scope,
  reader: CallReader,
): FoundBody {
  const { kind, open, at } = body
  const callType = open.type && findInstantiation(open.type, call, signature, reader.program)
  const type = callType ?? open.type
  const argument = open.schema?.function === target ? findArgument(call, open.schema, reader.program) : undefined
  if (argument) {
    const origin = findParameter(argument.node, reader.program)
    const path = [...(origin?.path ?? []), ...argument.path]
    if (origin) return { kind, at, type: anyType, open: { type, schema: { ...origin, path } } }
    const inputData = readSchemaInput(kind, argument.type, callType, call, reader)
    return { kind, at, type: inputData, schema: reader.addSchema(argument.node, argument.path) }
  }
  if (!callType || open.schema) return body
  return { kind, at, type: toInputShape(kind, callType, call, reader), ...(generic && { open: { type } }) }
}

/**
 * Returns the bodies with every open one decided: it is left out if a call has resolved it, otherwise its type is
 * unknown.
 */
export function settleOpenBodies(bodies: readonly FoundBody[], reader: CallReader): FoundBody[] {
  const decidedNodes = new Set(bodies.flatMap((body) => (isOpenBody(body) ? [] : [body.at])))
  return bodies.flatMap((body): FoundBody[] => {
    if (!isOpenBody(body)) return [body]
    if (decidedNodes.has(body.at)) return []
    const { type } = body.open
    const data = toInputShape(body.kind, type, body.at, reader)
    const isDeclaredAny = type && type.flags & reader.program.flags.AnyOrUnknown && !body.open.schema
    if (data.kind === "any" && !isDeclaredAny) warnBody(body.kind, body.at, reader)
    return [{ kind: body.kind, type: data, ...(body.methods && { methods: body.methods }) }]
  })
}

/** Returns true for a body whose type depends on the call. */
export function isOpenBody(body: FoundBody): body is OpenFoundBody {
  return "type" in body && body.open !== undefined && body.at !== undefined
}

/**
 * Returns the JSON of a type. A promise is replaced by the type that it resolves to. A type that JSON does not contain,
 * such as a function, becomes `any`.
 */
function toJSONShape(type: Type | undefined, from: Node, { program, shapes }: CallReader): TypeData {
  if (!type) return anyType
  const data = toUnion(listPromisedTypes(type, program).map((part) => shapes.convert(part, from)))
  return data.kind === "nothing" || data.kind === "never" ? anyType : data
}

/** Returns what a request must contain to be valid for a type. */
function toInputShape(
  kind: SchemaBody["kind"],
  type: Type | undefined,
  from: Node,
  { program, inputs }: CallReader,
): TypeData {
  if (!type) return anyType
  const data = toUnion(listPromisedTypes(type, program).map((part) => inputs.convert(part, from, kind)))
  return data.kind === "nothing" || data.kind === "never" || data.kind === "any" ? anyType : data
}

/**
 * Returns the input of a schema. It may need less than the output, for example because fields with defaults are
 * optional.
 */
function readSchemaInput(
  kind: SchemaBody["kind"],
  schema: Type,
  output: Type | undefined,
  from: Node,
  reader: CallReader,
): TypeData {
  const { checker, flags: f } = reader.program
  const standard = readPropertyType("~standard", schema, reader)
  const types = standard && readPropertyType("types", standard, reader)
  const present = types && checker.getNonNullableType(types)
  const input = present && readPropertyType("input", present, reader)
  const result = output ?? (present && readPropertyType("output", present, reader))
  if (!input || input.flags & f.AnyOrUnknown) return toJSONShape(result, from, reader)
  const data = reader.shapes.convert(input, from)
  return kind === "json" ? data : applyOutputTypes(data, toJSONShape(result, from, reader))
}

/**
 * Returns the input of a form or query. If a schema accepts anything for a field and converts it, such as
 * `z.coerce.number()`, the field gets the type of the output, because forms and queries contain only text.
 */
function applyOutputTypes(input: TypeData, output: TypeData): TypeData {
  if (input.kind !== "object" || output.kind !== "object") return input
  const results = new Map(output.properties.map((property) => [property.name, property.type]))
  const properties = input.properties.map((property) =>
    property.type.kind === "any" ? { ...property, type: results.get(property.name) ?? property.type } : property,
  )
  return { ...input, properties }
}

const bodyNames = { json: "body", form: "form", query: "query" } as const

function warnBody(kind: SchemaBody["kind"], node: Node, { warn }: CallReader): void {
  const fix =
    kind === "json"
      ? "Give the schema or the type where the body is bound: c.bind(schema), c.bind<Type>()."
      : `Give the schema a type where the ${kind} is bound, such as StandardSchema<{ name: string }>.`
  warn(node, `the type of this ${bodyNames[kind]} is not known`, fix)
}
