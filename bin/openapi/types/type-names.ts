/** The name under which a type is shared: its own, as declared in its source. */
import type { Node, Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { AliasNames } from "./alias-names.ts"
import { commentOf } from "./comments.ts"
import { isArray, isRuntime } from "./syntax-of-types.ts"

/** A name, and its declaration. */
export interface TypeName {
  /** Distinguishes the type from all others, also those with the same name. */
  readonly id: string
  readonly name: string
  /** Relative to the project. */
  readonly file: string
  readonly line: number
  /** Files of its named type arguments. */
  readonly argumentFiles?: readonly string[]
  readonly comment?: string
}

/** A type argument as a part of a name. */
interface Word {
  readonly text: string
  readonly id: string
  readonly file?: string
}

/** Names of types, with a cache. */
export class TypeNames {
  readonly #program: TypeProgram
  readonly #aliases: AliasNames
  readonly #known = new Map<number, TypeName | null>()

  constructor(program: TypeProgram) {
    this.#program = program
    this.#aliases = new AliasNames(program)
  }

  /**
   * Returns the name of an interface, a class, an enum or an alias; null if there is none, or it belongs to a
   * tool.
   */
  of(type: Type): TypeName | null {
    const known = this.#known.get(type.id)
    if (known !== undefined) return known
    // A type that is its own argument would have an endless name.
    this.#known.set(type.id, null)
    const name = this.#declared(type)
    this.#known.set(type.id, name)
    return name
  }

  /**
   * Returns a word for a type without a name that needs a reference.
   *
   * @param hint the property that contains it, or what to call it if there is none.
   */
  wordOf(type: Type, hint: string): string {
    const alias = type.getAliasSymbol()
    const words = alias ? (type.getAliasTypeArguments() ?? []).map((arg) => this.#word(arg, 0)) : []
    const hasName = alias && !alias.name.startsWith("__") && !words.includes(null)
    if (hasName) return alias.name + words.map((word) => word?.text).join("")
    return capital(hint)
  }

  /** Returns the type of the value that an alias of the project computes a type from. */
  readonly sourceOf = (type: Type): Type | undefined => this.#aliases.sourceOf(type)

  #declared(type: Type): TypeName | null {
    const { symbolFlags: s, checker } = this.#program
    const alias = type.getAliasSymbol()
    const own = alias && this.#named(alias, type.getAliasTypeArguments() ?? [], type)
    if (own) return own
    const symbol = type.getSymbol()
    if (!alias && symbol && symbol.flags & (s.Interface | s.Class | s.Enum)) {
      const args = type.isTypeReference() && !type.isUnionType() ? checker.getTypeArguments(type) : []
      const named = this.#named(symbol, args, type)
      if (named) return named
    }
    // An alias of the project for an inferred type, such as `type User = z.infer<typeof user>`.
    const inferred = this.#aliases.of(type)
    return inferred ? this.#named(inferred, [], type) : null
  }

  #named(symbol: TypeSymbol, args: readonly Type[], type: Type): TypeName | null {
    const program = this.#program
    const [handle] = symbol.declarations
    if (!handle || symbol.name.startsWith("__") || symbol.name === "default") return null
    const { path } = handle
    const foreign = !program.isOwn(path)
    // Generic types of packages are tools, such as Partial and Simplify; so is a union such as Nullable<T>.
    if (args.length > 0 && (foreign || type.isUnionType())) return null
    if (foreign && (isRuntime(path) || program.frameworkModule(path) !== null)) return null
    const words: Word[] = []
    for (const arg of args) {
      const word = this.#word(arg, 0)
      if (!word) return null
      words.push(word)
    }
    // Last, because it loads the whole file.
    const node = program.resolve(handle)
    if (!node) return null
    const comment = commentOf(node, program)
    const files = words.flatMap(({ file }) => file ?? [])
    const place = program.place(node)
    return {
      id: `${place.file}:${handle.index}<${words.map(({ id }) => id).join()}>`,
      name: spacesOf(node, program) + symbol.name + words.map(({ text }) => text).join(""),
      ...place,
      ...(files.length > 0 && { argumentFiles: files }),
      ...(comment && { comment }),
    }
  }

  /** Returns a type argument as part of a name: `TaskArray` for `Task[]`; null if there is none. */
  #word(type: Type, depth: number): Word | null {
    const { flags: f, checker } = this.#program
    if (depth > 2) return null
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return plainWord(String(type.value))
    if (type.flags & (f.Intrinsic & ~f.NonPrimitive)) return plainWord(checker.typeToString(type))
    const name = this.of(type)
    if (name) return { text: capital(name.name), id: name.id, file: name.file }
    if (isArray(type)) {
      const [item] = checker.getTypeArguments(type)
      const inner = item ? this.#word(item, depth + 1) : null
      return inner && { ...inner, text: `${inner.text}Array`, id: `${inner.id}[]` }
    }
    if (type.isUnionType()) return this.#union(type.getTypes(), depth)
    return type.getSymbol()?.name === "Date" ? plainWord("Date") : null
  }

  #union(types: readonly Type[], depth: number): Word | null {
    const words = types.length > 3 ? [null] : types.map((part) => this.#word(part, depth + 1))
    if (words.includes(null)) return null
    const [text, id] = [words.map((word) => word?.text).join("Or"), words.map((word) => word?.id).join("|")]
    const file = words.find((word) => word?.file)?.file
    return { text, id, ...(file && { file }) }
  }
}

function plainWord(value: string): Word | null {
  const text = capital(value)
  return text === "" ? null : { text, id: JSON.stringify(value) }
}

/** Returns the namespaces of a declaration: `ShopItem` for `namespace Shop { interface Item }`. */
function spacesOf(node: Node, { kinds }: TypeProgram): string {
  let spaces = ""
  for (let at: Node | undefined = node.parent; at; at = at.parent) {
    const { text } = (at as SyntaxNode).name ?? {}
    // A module of a package has its name in quotes.
    if (at.kind === kinds.ModuleDeclaration && text && /^[\w$]+$/.test(text)) spaces = capital(text) + spaces
  }
  return spaces
}

function capital(text: string): string {
  const clean = text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) =>
    (next ?? "").toUpperCase(),
  )
  return clean.charAt(0).toUpperCase() + clean.slice(1)
}
