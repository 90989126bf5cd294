/** Finds the names under which types are shared. They are the names in the source. */

import type { Node, Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { capitalize } from "../document/component-names.ts"
import { AliasNames } from "./alias-names.ts"
import { readDocComment } from "./comments.ts"
import { isArray, isRuntimeFile } from "./syntax-of-types.ts"

/** The name of a type, and its declaration. */
export interface TypeName {
  /** A unique id, which distinguishes types of the same name. */
  readonly id: string
  readonly name: string
  /** Relative to the project. */
  readonly file: string
  readonly line: number
  /** The files of its named type arguments. */
  readonly argumentFiles?: readonly string[]
  readonly comment?: string
}

/** A type argument as part of a name. */
interface NamePart {
  readonly text: string
  readonly id: string
  readonly file?: string
}

/** Finds the names of types, and caches them. */
export class TypeNames {
  readonly #program: TypeProgram
  readonly #aliases: AliasNames
  readonly #namesByTypeID = new Map<number, TypeName | null>()

  constructor(program: TypeProgram) {
    this.#program = program
    this.#aliases = new AliasNames(program)
  }

  /**
   * Returns the name of an interface, class, enum or alias. Returns null if there is none, or if the type is a
   * utility such as Partial.
   */
  findName(type: Type): TypeName | null {
    const known = this.#namesByTypeID.get(type.id)
    if (known !== undefined) return known
    // Without this, a type that is its own argument would have a name of infinite length.
    this.#namesByTypeID.set(type.id, null)
    const name = this.#findDeclaredName(type)
    this.#namesByTypeID.set(type.id, name)
    return name
  }

  /**
   * Returns a name for an unnamed type that needs one, because it refers to itself or is large.
   *
   * @param hint the name of the property that contains it, or another word to use.
   */
  createName(type: Type, hint: string): string {
    const alias = type.getAliasSymbol()
    const words = alias ? (type.getAliasTypeArguments() ?? []).map((arg) => this.#toNamePart(arg, 0)) : []
    const hasName = alias && !alias.name.startsWith("__") && !words.includes(null)
    if (hasName) return alias.name + words.map((word) => word?.text).join("")
    return capitalize(hint)
  }

  #findDeclaredName(type: Type): TypeName | null {
    const { symbolFlags: s, checker } = this.#program
    const alias = type.getAliasSymbol()
    const aliasName = alias && this.#readSymbolName(alias, type.getAliasTypeArguments() ?? [], type)
    if (aliasName) return aliasName
    const symbol = type.getSymbol()
    if (!alias && symbol && symbol.flags & (s.Interface | s.Class | s.Enum)) {
      const args = type.isTypeReference() && !type.isUnionType() ? checker.getTypeArguments(type) : []
      const declaredName = this.#readSymbolName(symbol, args, type)
      if (declaredName) return declaredName
    }
    // The type is inferred, but the project has an alias for it, such as `type User = z.infer<typeof user>`.
    const aliasOfInferred = this.#aliases.findAlias(type)
    return aliasOfInferred ? this.#readSymbolName(aliasOfInferred, [], type) : null
  }

  #readSymbolName(symbol: TypeSymbol, args: readonly Type[], type: Type): TypeName | null {
    const program = this.#program
    const [handle] = symbol.declarations
    if (!handle || symbol.name.startsWith("__") || symbol.name === "default") return null
    const { path } = handle
    const isForeign = !program.isOwn(path)
    // Generic types of packages, such as Partial and Simplify, are utilities. So are generic unions, such as
    // Nullable<T>.
    if (args.length > 0 && (isForeign || type.isUnionType())) return null
    if (isForeign && (isRuntimeFile(path) || program.findFrameworkModule(path) !== null)) return null
    const words: NamePart[] = []
    for (const arg of args) {
      const word = this.#toNamePart(arg, 0)
      if (!word) return null
      words.push(word)
    }
    // This is last, because it loads the whole file.
    const node = program.resolveNode(handle)
    if (!node) return null
    const comment = readDocComment(node, program)
    const files = words.flatMap(({ file }) => file ?? [])
    const location = program.findPlace(node)
    return {
      id: `${location.file}:${handle.index}<${words.map(({ id }) => id).join()}>`,
      name: readNamespaces(node, program) + symbol.name + words.map(({ text }) => text).join(""),
      ...location,
      ...(files.length > 0 && { argumentFiles: files }),
      ...(comment && { comment }),
    }
  }

  /** Returns a type argument as part of a name: `TaskArray` for `Task[]`; null if it has no name. */
  #toNamePart(type: Type, depth: number): NamePart | null {
    const { flags: f, checker } = this.#program
    if (depth > 2) return null
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return toTextPart(String(type.value))
    if (type.flags & (f.Intrinsic & ~f.NonPrimitive)) return toTextPart(checker.typeToString(type))
    const name = this.findName(type)
    if (name) return { text: capitalize(name.name), id: name.id, file: name.file }
    if (isArray(type)) {
      const [item] = checker.getTypeArguments(type)
      const inner = item ? this.#toNamePart(item, depth + 1) : null
      return inner && { ...inner, text: `${inner.text}Array`, id: `${inner.id}[]` }
    }
    if (type.isUnionType()) return this.#toUnionPart(type.getTypes(), depth)
    return type.getSymbol()?.name === "Date" ? toTextPart("Date") : null
  }

  #toUnionPart(types: readonly Type[], depth: number): NamePart | null {
    const words = types.length > 3 ? [null] : types.map((part) => this.#toNamePart(part, depth + 1))
    if (words.includes(null)) return null
    const [text, id] = [words.map((word) => word?.text).join("Or"), words.map((word) => word?.id).join("|")]
    const file = words.find((word) => word?.file)?.file
    return { text, id, ...(file && { file }) }
  }
}

function toTextPart(value: string): NamePart | null {
  const text = capitalize(value)
  return text === "" ? null : { text, id: JSON.stringify(value) }
}

/**
 * Returns the namespaces around a declaration as part of its name: `ShopItem` for `namespace Shop { interface Item
 * }`.
 */
function readNamespaces(node: Node, { kinds }: TypeProgram): string {
  let spaces = ""
  for (let at: Node | undefined = node.parent; at; at = at.parent) {
    const { text } = (at as SyntaxNode).name ?? {}
    // The name of an ambient module is in quotes and is not used.
    if (at.kind === kinds.ModuleDeclaration && text && /^[\w$]+$/.test(text)) spaces = capitalize(text) + spaces
  }
  return spaces
}
