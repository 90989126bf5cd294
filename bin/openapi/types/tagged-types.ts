/** Tags in the syntax of types: of aliases such as `type Name = string`, and of the elements of tuples. The checker drops both. */
import { limitsIn } from "../../../lib/openapi/constraints.ts"
import type { TypeData } from "../../../lib/openapi/model.ts"
import type { Node, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { textOf } from "./alias-names.ts"
import { commentOf } from "./comments.ts"
import { limited } from "./limits.ts"

const inComment = "(?:(?!\\*/)[\\s\\S])*"
const tags = "@(?:m(?:in|ax)(?:imum|Length|Items)|exclusiveM(?:in|ax)imum|multipleOf|format|pattern)\\b"
/** A comment with limits before an alias, or before an element of a tuple. */
const tagged = new RegExp(
  `/\\*\\*${inComment}${tags}${inComment}\\*/\\s*(?:(?:export\\s+)?(?:declare\\s+)?type\\s)|[[,]\\s*/\\*\\*${inComment}${tags}${inComment}\\*/\\s*(?:\\.{3})?[\\w$]+\\??:`,
)

/** Receives what is not used. @param of the alias or the element that has tags. */
export type Lose = (of: string, node: Node) => void

/** Adds the tags in the syntax of types to types as data. */
export class TaggedTypes {
  readonly #program: TypeProgram
  #exists: boolean | undefined

  constructor(program: TypeProgram) {
    this.#program = program
  }

  /** Returns a type with the tags that its syntax has. @param lose is called for tags at a place where they cannot count. */
  of(data: TypeData, node: Node | undefined, lose: Lose): TypeData {
    this.#exists ??= this.#program.ownFiles().some((path) => tagged.test(textOf(path)))
    return node && this.#exists ? this.#apply(data, node, lose) : data
  }

  #apply(data: TypeData, node: SyntaxNode, lose: Lose): TypeData {
    const { kinds } = this.#program
    const { type, elementType, types = [] } = node
    const [only] = this.#valuesIn(types)
    if ((node.kind === kinds.ParenthesizedType || node.kind === kinds.TypeOperator) && type)
      return this.#apply(data, type, lose)
    if (node.kind === kinds.TypeReference) return this.#reference(data, node, lose)
    if (node.kind === kinds.ArrayType && elementType) return this.#items(data, elementType, lose)
    if (node.kind === kinds.TupleType && data.kind === "tuple") return this.#tuple(data, node, lose)
    if (node.kind === kinds.UnionType && only && this.#valuesIn(types).length === 1)
      return inOnlyMember(data, (member) => this.#apply(member, only, lose))
    if (node.kind === kinds.IntersectionType)
      return types.reduce((made, part) => this.#apply(made, part, lose), data)
    this.#unused(node, lose)
    return data
  }

  /** Returns the members of a union that are not null or undefined. */
  #valuesIn(types: readonly SyntaxNode[]): readonly SyntaxNode[] {
    const { kinds } = this.#program
    return types.filter(({ kind, literal }) => {
      return kind !== kinds.UndefinedKeyword && literal?.kind !== kinds.NullKeyword
    })
  }

  #reference(data: TypeData, node: SyntaxNode, lose: Lose): TypeData {
    const { typeArguments: given = [] } = node
    const name = node.typeName?.text
    const last = given.at(-1)
    if (last && data.kind === "array" && (name === "Array" || name === "ReadonlyArray"))
      return this.#items(data, last, lose)
    if (last && name === "Record" && data.kind === "object" && data.values)
      return { ...data, values: this.#apply(data.values, last, lose) }
    for (const argument of given) this.#unused(argument, lose)
    const alias = given.length === 0 && this.#aliasOf(node)
    if (!alias) return data
    // Those in a named type were added where it was read.
    const inner = alias.type && data.kind !== "named" ? this.#apply(data, alias.type, lose) : data
    return limited(inner, alias.name?.text ?? "", this.#limitsOf(alias))
  }

  #items(data: TypeData, node: SyntaxNode, lose: Lose): TypeData {
    if (data.kind === "array") return { ...data, items: this.#apply(data.items, node, lose) }
    this.#unused(node, lose)
    return data
  }

  #tuple(data: Extract<TypeData, { kind: "tuple" }>, { elements = [] }: SyntaxNode, lose: Lose): TypeData {
    const { items, rest, tail = [] } = data
    const at = (i: number, type: TypeData): TypeData => {
      const node = elements[i]
      if (!node) return type
      const own = node.kind === this.#program.kinds.NamedTupleMember ? node : undefined
      const inner = own || this.#isWrapped(node) ? node.type : node
      // The type of a rest is that of its items.
      const written = type === rest ? (inner?.elementType ?? inner) : inner
      const made = written ? this.#apply(type, written, lose) : type
      return limited(made, own?.name?.text ?? `item ${i + 1}`, own && this.#limitsOf(own))
    }
    const more = items.length + (rest ? 1 : 0)
    return {
      ...data,
      items: items.map((item, i) => ({ ...item, type: at(i, item.type) })),
      ...(rest && { rest: at(items.length, rest) }),
      ...(data.tail && { tail: tail.map((type, i) => at(more + i, type)) }),
    }
  }

  #isWrapped({ kind }: Node): boolean {
    return kind === this.#program.kinds.OptionalType || kind === this.#program.kinds.RestType
  }

  /** Reports the tags below a node. Objects in it are types of their own, with their own properties. */
  #unused(node: SyntaxNode, lose: Lose): void {
    const { kinds } = this.#program
    if (node.kind === kinds.TypeLiteral || node.kind === kinds.FunctionType) return
    const alias = node.kind === kinds.TypeReference ? this.#aliasOf(node) : undefined
    for (const one of [alias, node.kind === kinds.NamedTupleMember ? node : undefined])
      if (one && this.#limitsOf(one)) lose(one.name?.text ?? "", node)
    node.forEachChild((child) => this.#unused(child, lose))
  }

  /** Returns the comment of a declaration, if it has limits. */
  #limitsOf(node: Node): string | undefined {
    const comment = commentOf(node, this.#program)
    return Object.keys(limitsIn(comment)).length > 0 ? comment : undefined
  }

  /** Returns the declaration of an alias without parameters. */
  #aliasOf({ typeName }: SyntaxNode): SyntaxNode | undefined {
    const program = this.#program
    const { checker, symbolFlags: s } = program
    const found = typeName && checker.getSymbolAtLocation(typeName)
    const symbol: TypeSymbol | undefined =
      found && found.flags & s.Alias ? checker.getAliasedSymbol(found) : found
    if (!symbol || !(symbol.flags & s.TypeAlias)) return undefined
    const node = program.resolve(symbol.declarations[0]) as SyntaxNode | undefined
    return node?.typeParameters ? undefined : node
  }
}

/** Converts the only member of a union that is not null; of any other type, the type itself. */
function inOnlyMember(data: TypeData, convert: (member: TypeData) => TypeData): TypeData {
  if (data.kind !== "union") return convert(data)
  const values = data.members.filter(({ kind }) => kind !== "null" && kind !== "nothing")
  if (values.length !== 1) return convert(data)
  return { ...data, members: data.members.map((one) => (one === values[0] ? convert(one) : one)) }
}
