/**
 * Reads tags that the checker drops, from the syntax: those on aliases such as `type Name = string`, and on the
 * elements of tuples.
 */

import type { Node, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { readLimits } from "../document/constraints.ts"
import type { TypeData } from "../document/model.ts"
import { readTextOrEmpty } from "./alias-names.ts"
import { readDocComment } from "./comments.ts"
import { addLimits } from "./type-limits.ts"

const commentTextPattern = "(?:(?!\\*/)[\\s\\S])*"
const limitTagsPattern = "@(?:m(?:in|ax)(?:imum|Length|Items)|exclusiveM(?:in|ax)imum|multipleOf|format|pattern)\\b"
/** Matches a comment with limits before an alias or before an element of a tuple. */
const limitedNamePattern = new RegExp(
  `/\\*\\*${commentTextPattern}${limitTagsPattern}${commentTextPattern}\\*/\\s*(?:(?:export\\s+)?(?:declare\\s+)?type\\s)|[[,]\\s*/\\*\\*${commentTextPattern}${limitTagsPattern}${commentTextPattern}\\*/\\s*(?:\\.{3})?[\\w$]+\\??:`,
)

/**
 * Receives tags that have no effect.
 *
 * @param subject the alias or element that has the tags.
 */
export type OnLostTags = (subject: string, node: Node) => void

/** Adds the tags that are only in the syntax to converted types. */
export class SyntaxTags {
  readonly #program: TypeProgram
  #hasTags: boolean | undefined

  constructor(program: TypeProgram) {
    this.#program = program
  }

  /**
   * Returns a type with the tags in its syntax.
   *
   * @param reportLost called for tags at a position where they have no effect.
   */
  addTags(data: TypeData, node: Node | undefined, reportLost: OnLostTags): TypeData {
    this.#hasTags ??= this.#program.listOwnFiles().some((path) => limitedNamePattern.test(readTextOrEmpty(path)))
    return node && this.#hasTags ? this.#applyTags(data, node, reportLost) : data
  }

  #applyTags(data: TypeData, node: SyntaxNode, reportLost: OnLostTags): TypeData {
    const { kinds } = this.#program
    const { type, elementType, types = [] } = node
    const [only] = this.#listValues(types)
    if ((node.kind === kinds.ParenthesizedType || node.kind === kinds.TypeOperator) && type)
      return this.#applyTags(data, type, reportLost)
    if (node.kind === kinds.TypeReference) return this.#applyToReference(data, node, reportLost)
    if (node.kind === kinds.ArrayType && elementType) return this.#applyToItems(data, elementType, reportLost)
    if (node.kind === kinds.TupleType && data.kind === "tuple") return this.#applyToTuple(data, node, reportLost)
    if (node.kind === kinds.UnionType && only && this.#listValues(types).length === 1)
      return convertOnlyMember(data, (member) => this.#applyTags(member, only, reportLost))
    if (node.kind === kinds.IntersectionType)
      return types.reduce((converted, part) => this.#applyTags(converted, part, reportLost), data)
    this.#reportUnused(node, reportLost)
    return data
  }

  /** Returns the members of a union other than null and undefined. */
  #listValues(types: readonly SyntaxNode[]): readonly SyntaxNode[] {
    const { kinds } = this.#program
    return types.filter(({ kind, literal }) => {
      return kind !== kinds.UndefinedKeyword && literal?.kind !== kinds.NullKeyword
    })
  }

  #applyToReference(data: TypeData, node: SyntaxNode, reportLost: OnLostTags): TypeData {
    const { typeArguments = [] } = node
    const name = node.typeName?.text
    const last = typeArguments.at(-1)
    if (last && data.kind === "array" && (name === "Array" || name === "ReadonlyArray"))
      return this.#applyToItems(data, last, reportLost)
    if (last && name === "Record" && data.kind === "object" && data.values)
      return { ...data, values: this.#applyTags(data.values, last, reportLost) }
    for (const argument of typeArguments) this.#reportUnused(argument, reportLost)
    const alias = typeArguments.length === 0 && this.#findAlias(node)
    if (!alias) return data
    // The tags of a named type were added when that type was converted.
    const inner = alias.type && data.kind !== "named" ? this.#applyTags(data, alias.type, reportLost) : data
    return addLimits(inner, alias.name?.text ?? "", this.#readLimits(alias))
  }

  #applyToItems(data: TypeData, node: SyntaxNode, reportLost: OnLostTags): TypeData {
    if (data.kind === "array") return { ...data, items: this.#applyTags(data.items, node, reportLost) }
    this.#reportUnused(node, reportLost)
    return data
  }

  #applyToTuple(
    data: Extract<TypeData, { kind: "tuple" }>,
    { elements = [] }: SyntaxNode,
    reportLost: OnLostTags,
  ): TypeData {
    const { items, rest, tail = [] } = data
    const tagElement = (i: number, type: TypeData): TypeData => {
      const node = elements[i]
      if (!node) return type
      const namedElement = node.kind === this.#program.kinds.NamedTupleMember ? node : undefined
      const inner = namedElement || this.#isWrapped(node) ? node.type : node
      // The converted type of a rest element is that of its items.
      const typeNode = type === rest ? (inner?.elementType ?? inner) : inner
      const tagged = typeNode ? this.#applyTags(type, typeNode, reportLost) : type
      return addLimits(
        tagged,
        namedElement?.name?.text ?? `item ${i + 1}`,
        namedElement && this.#readLimits(namedElement),
      )
    }
    const tailStart = items.length + (rest ? 1 : 0)
    return {
      ...data,
      items: items.map((item, i) => ({ ...item, type: tagElement(i, item.type) })),
      ...(rest && { rest: tagElement(items.length, rest) }),
      ...(data.tail && { tail: tail.map((type, i) => tagElement(tailStart + i, type)) }),
    }
  }

  #isWrapped({ kind }: Node): boolean {
    return kind === this.#program.kinds.OptionalType || kind === this.#program.kinds.RestType
  }

  /** Reports the tags below a node. Objects are left out, because they are types of their own. */
  #reportUnused(node: SyntaxNode, reportLost: OnLostTags): void {
    const { kinds } = this.#program
    if (node.kind === kinds.TypeLiteral || node.kind === kinds.FunctionType) return
    const alias = node.kind === kinds.TypeReference ? this.#findAlias(node) : undefined
    for (const one of [alias, node.kind === kinds.NamedTupleMember ? node : undefined])
      if (one && this.#readLimits(one)) reportLost(one.name?.text ?? "", node)
    node.forEachChild((child) => this.#reportUnused(child, reportLost))
  }

  /** Returns the comment of a declaration, if it has limits. */
  #readLimits(node: Node): string | undefined {
    const comment = readDocComment(node, this.#program)
    return Object.keys(readLimits(comment)).length > 0 ? comment : undefined
  }

  /** Returns the declaration of an alias without parameters. */
  #findAlias({ typeName }: SyntaxNode): SyntaxNode | undefined {
    const program = this.#program
    const { checker, symbolFlags: s } = program
    const found = typeName && checker.getSymbolAtLocation(typeName)
    const symbol: TypeSymbol | undefined = found && found.flags & s.Alias ? checker.getAliasedSymbol(found) : found
    if (!symbol || !(symbol.flags & s.TypeAlias)) return undefined
    const node = program.resolveNode(symbol.declarations[0]) as SyntaxNode | undefined
    return node?.typeParameters ? undefined : node
  }
}

/** Converts the only member of a union besides null and undefined. Converts any other type as a whole. */
function convertOnlyMember(data: TypeData, convert: (member: TypeData) => TypeData): TypeData {
  if (data.kind !== "union") return convert(data)
  const values = data.members.filter(({ kind }) => kind !== "null" && kind !== "nothing")
  if (values.length !== 1) return convert(data)
  return { ...data, members: data.members.map((one) => (one === values[0] ? convert(one) : one)) }
}
