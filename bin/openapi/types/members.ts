/** The members of objects, tuples and classes that JSON.stringify includes. */

import type {
  PatternValues,
  PropertyData,
  TemplatePart,
  TupleItem,
  TypeData,
} from "../../../lib/openapi/model.ts"
import { byCodeUnit } from "../../../lib/order.ts"
import type { Node, Type, TypeProgram, TypeReference, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { commentOf } from "./comments.ts"
import { declaredIn, renamedProperties } from "./declarations.ts"
import { limited } from "./limits.ts"
import { isRuntime } from "./syntax-of-types.ts"
import type { Lose, TaggedTypes } from "./tagged-types.ts"
import { any, anyObject, escapePattern, hasNothing, unionOf, without } from "./type-data.ts"

/**
 * Converts a type inside another one.
 *
 * @param hint the property that contains it.
 */
export type MakePart = (type: Type, from: Node, hint?: string) => TypeData

type TupleData = Extract<TypeData, { kind: "tuple" }>

/** Converts a tuple. Items after a rest have no fixed position. */
export function tupleOf(type: TypeReference, from: Node, program: TypeProgram, make: MakePart): TupleData {
  const { checker, elementFlags } = program
  const target = type.getTarget()
  const flags = target.isTupleType() ? target.elementFlags : []
  const items: TupleItem[] = []
  let rest: TypeData | undefined
  const tail: TypeData[] = []
  for (const [i, item] of checker.getTypeArguments(type).entries()) {
    const flag = flags[i] ?? elementFlags.Required
    const data = make(item, from)
    if ((flag & elementFlags.Variable) !== 0) rest = rest ? unionOf([rest, data]) : data
    else if (rest) tail.push(data)
    else items.push({ type: without(data), optional: (flag & elementFlags.Optional) !== 0 })
  }
  return { kind: "tuple", items, ...(rest && { rest }), ...(tail.length > 0 && { tail }) }
}

/**
 * Returns the values of index signatures: for any other key, and for keys with a pattern. JSON has no symbols
 * as keys. In a request, a key of an index signature of numbers must be one.
 */
export function valuesOf(
  type: Type,
  from: Node,
  tools: PropertyTools,
): { values?: TypeData; patterns?: readonly PatternValues[] } {
  const { program, make, received } = tools
  const { checker, flags: f } = program
  const values: TypeData[] = []
  const patterns: PatternValues[] = []
  for (const { keyType, valueType } of checker.getIndexInfosOfType(type)) {
    if (keyType.flags & f.ESSymbolLike) continue
    const data = signaturesOf(type, keyType.id, program).reduce(
      (made, node) => {
        const written = tools.tagged.of(made, (node as SyntaxNode).type, tools.lose)
        return limited(written, `[${node.getText().match(/\[([^\]]*)\]/)?.[1]}]`, commentOf(node, program))
      },
      without(make(valueType, from)),
    )
    if (keyType.isTemplateLiteralType()) {
      const template = templateOf(keyType.texts, keyType.getTypes(), program)
      patterns.push({ pattern: patternOfParts(template), type: data, template })
    } else if (received && keyType.flags & f.Number) {
      patterns.push({ pattern: patternOfParts([anyNumber]), type: data, template: [anyNumber] })
    } else values.push(data)
  }
  return {
    ...(values.length > 0 && { values: unionOf(values) }),
    ...(patterns.length > 0 && { patterns }),
  }
}

/** Returns the index signatures that declare the values of some keys, also those of the parts of an intersection. */
function signaturesOf(type: Type, key: number, program: TypeProgram): Node[] {
  if (type.isIntersectionType())
    return [...new Set(type.getTypes().flatMap((part) => signaturesOf(part, key, program)))]
  const infos = program.checker.getIndexInfosOfType(type)
  return infos.flatMap(({ keyType, declaration }) => {
    const node = keyType.id === key && declaration ? program.resolve(declaration) : undefined
    return node && node.kind === program.kinds.IndexSignature ? [node] : []
  })
}

/** Returns an object of properties and what an index signature adds. */
export function objectOf(
  type: Type,
  properties: readonly PropertyData[],
  rest: ReturnType<typeof valuesOf>,
  program: TypeProgram,
): TypeData {
  const isEmpty = properties.length === 0 && !rest.values && !rest.patterns
  return isEmpty && isAnyObject(type, program) ? anyObject : { kind: "object", properties, ...rest }
}

/**
 * Returns true for a type that is written as `{}`: any object fits. An interface, a class, a mapped type or a value without
 * properties declares that there are none.
 */
function isAnyObject(type: Type, { checker, objectFlags, symbolFlags }: TypeProgram): boolean {
  if (!type.isObjectType() || type.objectFlags & objectFlags.Mapped) return false
  const { flags } = type.getSymbol() ?? { flags: symbolFlags.TypeLiteral }
  return (flags & symbolFlags.TypeLiteral) !== 0 && checker.getPropertiesOfType(type).length === 0
}

/** Returns the pattern of `/api/${string}`. The checker turns types with a list of texts into a union. */
export function patternOf(texts: readonly string[], types: readonly Type[], program: TypeProgram): string {
  return patternOfParts(templateOf(texts, types, program))
}

/** Returns the parts of `/api/${string}`. */
export function templateOf(
  texts: readonly string[],
  types: readonly Type[],
  { flags: f }: TypeProgram,
): TemplatePart[] {
  return texts.flatMap((text, i): TemplatePart[] => {
    const type = types[i]
    const any =
      (type?.flags ?? 0) & f.Number ? "number" : (type?.flags ?? 0) & f.BigInt ? "integer" : "string"
    return [...(text === "" ? [] : [{ text }]), ...(type ? [{ any } as const] : [])]
  })
}

const patterns = { string: "[\\s\\S]*", number: "-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?", integer: "-?\\d+" }

/** Returns the regular expression of a template. */
export function patternOfParts(parts: readonly TemplatePart[]): string {
  return `^${parts.map((part) => ("text" in part ? escapePattern(part.text) : patterns[part.any])).join("")}$`
}

const anyNumber: TemplatePart = { any: "number" }

/** Tools that properties are read with. */
export interface PropertyTools {
  readonly program: TypeProgram
  readonly make: MakePart
  /** Returns the type of the value that an alias of the project computes a type from. */
  readonly sourceOf: (type: Type) => Type | undefined
  readonly tagged: TaggedTypes
  readonly lose: Lose
  /** True for the properties of a request: a property that must be absent counts too. */
  readonly received?: true
}

/** A tag with its text. What a mapped type made optional stays absent: a change must not set what was not sent. */
const defaultTag = /(?:^|\s)@default(?![\w-])(?:(?!\s@[A-Za-z])[\s\S])*/g

/** Returns the properties that are sent, in the order of the source. */
export function propertiesOf(
  owner: Type,
  all: readonly TypeSymbol[],
  from: Node,
  tools: PropertyTools,
): PropertyData[] {
  const { program, make, sourceOf, received } = tools
  const { checker, symbolFlags: s } = program
  const sent = received ? all : all.filter((symbol) => isSent(symbol, program))
  const symbols = inOrder(owner, sent, program, sourceOf)
  const types = symbols.length > 0 ? checker.getTypeOfSymbol(symbols) : []
  if (symbols.some(({ declarations }) => declarations.length === 0))
    for (const { node, name } of renamedProperties(owner, program)) tools.lose(name, node)
  return symbols.flatMap((symbol, i) => {
    const type = types[i]
    const handle = symbol.valueDeclaration ?? symbol.declarations[0]
    // Loading the runtime's files for its comments would be too slow.
    const node = handle && !isRuntime(handle.path) ? program.resolve(handle) : undefined
    const own = node && program.isOwn(node.getSourceFile().fileName) ? node : from
    const data = type ? make(type, own, symbol.name) : any
    const isAbsent = data.kind === "nothing" || data.kind === "never"
    if (isAbsent && !received) return []
    const { comments, nodes, isPartial } = declaredIn(owner, symbol, program)
    const optional = (symbol.flags & s.Optional) !== 0 || hasNothing(data) || data.kind === "nothing"
    if (isAbsent) return [{ name: symbol.name, type: { kind: "never" }, optional }]
    const written = nodes.reduce((made: TypeData, one) => {
      return tools.tagged.of(made, (one as SyntaxNode).type, tools.lose)
    }, without(data))
    const limits = comments.reduce((made, one) => limited(made, symbol.name, one), written)
    const comment = isPartial ? comments[0]?.replace(defaultTag, "").trim() : comments[0]
    return [{ name: symbol.name, type: limits, optional, ...(comment && { comment }) }]
  })
}

/** Returns true if JSON.stringify includes a property: only own ones, with text as names. */
export function isSent({ name, flags, valueDeclaration }: TypeSymbol, program: TypeProgram): boolean {
  const { symbolFlags: s, kinds } = program
  if (name.startsWith("__@") || name.startsWith("__#")) return false
  if (flags & s.Method && !(flags & s.Optional)) return false
  if (!(flags & s.Accessor)) return true
  const parent = program.resolve(valueDeclaration)?.parent
  return parent?.kind !== kinds.ClassDeclaration && parent?.kind !== kinds.ClassExpression
}

/** Sorts symbols in the order of the source; the checker has another order for inherited and computed ones. */
function inOrder(
  owner: Type,
  symbols: readonly TypeSymbol[],
  program: TypeProgram,
  sourceOf: PropertyTools["sourceOf"],
): TypeSymbol[] {
  const sources = new Map<string, TypeSymbol>()
  if (symbols.some(({ declarations }) => declarations.length === 0))
    addSources(owner, sources, program, sourceOf)
  const place = (symbol: TypeSymbol) => {
    const source = symbol.declarations.length === 0 ? (sources.get(symbol.name) ?? symbol) : symbol
    return source.valueDeclaration ?? source.declarations[0]
  }
  return symbols.toSorted((a, b) => {
    const [one, two] = [place(a), place(b)]
    const byName = byCodeUnit(a.name, b.name)
    if (!one || !two) return one ? -1 : two ? 1 : byName
    if (one.path !== two.path) return byCodeUnit(one.path, two.path)
    return one.index - two.index || byName
  })
}

/** The sources of a computed type may be computed themselves, as in `Partial<Omit<User, "id">>`. */
const mostSources = 6

/**
 * Adds the properties of what a type is computed from: of its arguments, and of the value that its alias names, such as
 * the table in `InferSelectModel<typeof users>`.
 */
function addSources(
  type: Type,
  found: Map<string, TypeSymbol>,
  program: TypeProgram,
  sourceOf: PropertyTools["sourceOf"],
  depth = 0,
): void {
  if (depth > mostSources) return
  const own = sourceOf(type)
  for (const source of [...(own ? [own] : []), ...(type.getAliasTypeArguments() ?? [])]) {
    if (!source.isObjectType() && !source.isIntersectionType()) continue
    for (const symbol of program.checker.getPropertiesOfType(source))
      if (symbol.declarations.length > 0 && !found.has(symbol.name)) found.set(symbol.name, symbol)
    addSources(source, found, program, sourceOf, depth + 1)
  }
}
