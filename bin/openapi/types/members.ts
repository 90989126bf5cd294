/** Reads the members of objects, tuples and classes that JSON.stringify writes. */

import { compareByCodeUnit } from "../../../lib/order.ts"
import type { Node, Type, TypeProgram, TypeReference, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import type { PatternValues, PropertyData, TemplatePart, TupleItem, TypeData } from "../document/model.ts"
import { readDocComment } from "./comments.ts"
import { findDeclarations, findRenamedProperties } from "./declarations.ts"
import { isRuntimeFile } from "./syntax-of-types.ts"
import type { OnLostTags, SyntaxTags } from "./syntax-tags.ts"
import { anyObjectType, anyType, escapePattern, mayBeNothing, removeNothing, toUnion } from "./type-data.ts"
import { addLimits } from "./type-limits.ts"

/**
 * Converts a type that is inside another one.
 *
 * @param hint the name of the property that contains it.
 */
export type ConvertPart = (type: Type, from: Node, hint?: string) => TypeData

type TupleData = Extract<TypeData, { kind: "tuple" }>

/** Converts a tuple. The items after a rest element have no fixed position. */
export function toTuple(type: TypeReference, from: Node, program: TypeProgram, convertPart: ConvertPart): TupleData {
  const { checker, elementFlags } = program
  const target = type.getTarget()
  const flags = target.isTupleType() ? target.elementFlags : []
  const items: TupleItem[] = []
  let rest: TypeData | undefined
  const tail: TypeData[] = []
  for (const [i, item] of checker.getTypeArguments(type).entries()) {
    const flag = flags[i] ?? elementFlags.Required
    const data = convertPart(item, from)
    if ((flag & elementFlags.Variable) !== 0) rest = rest ? toUnion([rest, data]) : data
    else if (rest) tail.push(data)
    else items.push({ type: removeNothing(data), optional: (flag & elementFlags.Optional) !== 0 })
  }
  return { kind: "tuple", items, ...(rest && { rest }), ...(tail.length > 0 && { tail }) }
}

/**
 * Returns the values of index signatures: for all keys, and for keys that match a pattern. Symbols cannot be keys
 * in JSON. In a request, the keys of a signature for numbers must be numbers.
 */
export function readIndexValues(
  type: Type,
  from: Node,
  tools: PropertyTools,
): { values?: TypeData; patterns?: readonly PatternValues[] } {
  const { program, convertPart, isRequest } = tools
  const { checker, flags: f } = program
  const values: TypeData[] = []
  const keyPatterns: PatternValues[] = []
  for (const { keyType, valueType } of checker.getIndexInfosOfType(type)) {
    if (keyType.flags & f.ESSymbolLike) continue
    const data = findIndexSignatures(type, keyType.id, program).reduce(
      (converted, node) => {
        const dataWithTags = tools.syntaxTags.addTags(converted, (node as SyntaxNode).type, tools.onLostTags)
        return addLimits(dataWithTags, `[${node.getText().match(/\[([^\]]*)\]/)?.[1]}]`, readDocComment(node, program))
      },
      removeNothing(convertPart(valueType, from)),
    )
    if (keyType.isTemplateLiteralType()) {
      const template = toTemplate(keyType.texts, keyType.getTypes(), program)
      keyPatterns.push({ pattern: toPatternFromParts(template), type: data, template })
    } else if (isRequest && keyType.flags & f.Number) {
      keyPatterns.push({ pattern: toPatternFromParts([anyNumber]), type: data, template: [anyNumber] })
    } else values.push(data)
  }
  return {
    ...(values.length > 0 && { values: toUnion(values) }),
    ...(keyPatterns.length > 0 && { patterns: keyPatterns }),
  }
}

/** Returns the index signatures for a type of keys, including those in the members of an intersection. */
function findIndexSignatures(type: Type, key: number, program: TypeProgram): Node[] {
  if (type.isIntersectionType())
    return [...new Set(type.getTypes().flatMap((part) => findIndexSignatures(part, key, program)))]
  const infos = program.checker.getIndexInfosOfType(type)
  return infos.flatMap(({ keyType, declaration }) => {
    const node = keyType.id === key && declaration ? program.resolveNode(declaration) : undefined
    return node && node.kind === program.kinds.IndexSignature ? [node] : []
  })
}

/** Returns an object with properties and values of index signatures. */
export function toObject(
  type: Type,
  properties: readonly PropertyData[],
  rest: ReturnType<typeof readIndexValues>,
  program: TypeProgram,
): TypeData {
  const isEmpty = properties.length === 0 && !rest.values && !rest.patterns
  return isEmpty && isAnyObject(type, program) ? anyObjectType : { kind: "object", properties, ...rest }
}

/**
 * Returns true for a type that is written as `{}`, which means any object. An interface, a class, a mapped type or
 * a value without properties does not mean any object.
 */
function isAnyObject(type: Type, { checker, objectFlags, symbolFlags }: TypeProgram): boolean {
  if (!type.isObjectType() || type.objectFlags & objectFlags.Mapped) return false
  const { flags } = type.getSymbol() ?? { flags: symbolFlags.TypeLiteral }
  return (flags & symbolFlags.TypeLiteral) !== 0 && checker.getPropertiesOfType(type).length === 0
}

/**
 * Returns the regular expression of a template literal type such as `/api/${string}`. A union of texts does not occur
 * in it, because the checker makes such a type a union of texts.
 */
export function toPattern(texts: readonly string[], types: readonly Type[], program: TypeProgram): string {
  return toPatternFromParts(toTemplate(texts, types, program))
}

/** Returns the parts of a template literal type such as `/api/${string}`. */
export function toTemplate(
  texts: readonly string[],
  types: readonly Type[],
  { flags: f }: TypeProgram,
): TemplatePart[] {
  return texts.flatMap((text, i): TemplatePart[] => {
    const type = types[i]
    const any = (type?.flags ?? 0) & f.Number ? "number" : (type?.flags ?? 0) & f.BigInt ? "integer" : "string"
    return [...(text === "" ? [] : [{ text }]), ...(type ? [{ any } as const] : [])]
  })
}

const placeholderPatterns = { string: "[\\s\\S]*", number: "-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?", integer: "-?\\d+" }

/** Returns the regular expression of a template. */
export function toPatternFromParts(parts: readonly TemplatePart[]): string {
  return `^${parts.map((part) => ("text" in part ? escapePattern(part.text) : placeholderPatterns[part.any])).join("")}$`
}

const anyNumber: TemplatePart = { any: "number" }

/** The program, and the functions that read and convert a property. */
export interface PropertyTools {
  readonly program: TypeProgram
  readonly convertPart: ConvertPart
  readonly syntaxTags: SyntaxTags
  readonly onLostTags: OnLostTags
  /** True for the properties of a request. They include properties that must be absent. */
  readonly isRequest?: true
}

/**
 * Matches a `@default` tag with its text. It is removed from a property that a mapped type such as `Partial` made
 * optional, because an update must not set a property that was not sent.
 */
const defaultTagPattern = /(?:^|\s)@default(?![\w-])(?:(?!\s@[A-Za-z])[\s\S])*/g

/** Returns the properties that JSON.stringify writes, in the order of the source. */
export function readProperties(
  owner: Type,
  all: readonly TypeSymbol[],
  from: Node,
  tools: PropertyTools,
): PropertyData[] {
  const { program, convertPart, isRequest } = tools
  const { checker, symbolFlags: s } = program
  const sentSymbols = isRequest ? all : all.filter((symbol) => isSent(symbol, program))
  const symbols = sentSymbols.toSorted(compareBySource)
  const types = symbols.length > 0 ? checker.getTypeOfSymbol(symbols) : []
  if (symbols.some(({ declarations }) => declarations.length === 0))
    for (const { node, name } of findRenamedProperties(owner, program)) tools.onLostTags(name, node)
  return symbols.flatMap((symbol, i) => {
    const type = types[i]
    const handle = symbol.valueDeclaration ?? symbol.declarations[0]
    // The runtime's files are not loaded for their comments, because that would be slow.
    const node = handle && !isRuntimeFile(handle.path) ? program.resolveNode(handle) : undefined
    const reportNode = node && program.isOwn(node.getSourceFile().fileName) ? node : from
    const data = type ? convertPart(type, reportNode, symbol.name) : anyType
    const isAbsent = data.kind === "nothing" || data.kind === "never"
    if (isAbsent && !isRequest) return []
    const { comments, nodes, isPartial } = findDeclarations(owner, symbol, program)
    const optional = (symbol.flags & s.Optional) !== 0 || mayBeNothing(data) || data.kind === "nothing"
    if (isAbsent) return [{ name: symbol.name, type: { kind: "never" }, optional }]
    const typeWithTags = nodes.reduce((converted: TypeData, one) => {
      return tools.syntaxTags.addTags(converted, (one as SyntaxNode).type, tools.onLostTags)
    }, removeNothing(data))
    const limitedType = comments.reduce((converted, one) => addLimits(converted, symbol.name, one), typeWithTags)
    const comment = isPartial ? comments[0]?.replace(defaultTagPattern, "").trim() : comments[0]
    return [{ name: symbol.name, type: limitedType, optional, ...(comment && { comment }) }]
  })
}

/** Returns true if JSON.stringify writes a property: it writes only own properties whose names are texts. */
export function isSent({ name, flags, valueDeclaration }: TypeSymbol, program: TypeProgram): boolean {
  const { symbolFlags: s, kinds } = program
  if (name.startsWith("__@") || name.startsWith("__#")) return false
  if (flags & s.Method && !(flags & s.Optional)) return false
  if (!(flags & s.Accessor)) return true
  const parent = program.resolveNode(valueDeclaration)?.parent
  return parent?.kind !== kinds.ClassDeclaration && parent?.kind !== kinds.ClassExpression
}

/** Compares symbols by their position in the source. The checker sorts inherited and computed symbols differently. */
function compareBySource(a: TypeSymbol, b: TypeSymbol): number {
  const [one, two] = [a, b].map((symbol) => symbol.valueDeclaration ?? symbol.declarations[0])
  const byName = compareByCodeUnit(a.name, b.name)
  if (!one || !two) return one ? -1 : two ? 1 : byName
  return one.path === two.path ? one.index - two.index || byName : compareByCodeUnit(one.path, two.path)
}
