/** From the checker's types to types as data: what JSON.stringify makes of a value of each. Called by `answers.ts` and `bodies.ts`. */
import type { NamedType, PropertyData, TupleItem, TypeData, Warning } from "../../../lib/openapi/model.ts"
import type { Node, Type, TypeProgram, TypeReference, TypeSymbol } from "../typescript.ts"
import { builtIn } from "./built-in.ts"
import { commentOf } from "./comments.ts"
import { isRuntime, nameOf } from "./type-names.ts"

/** Types nest no deeper, unless each level makes a new one. */
const deepest = 24
/** What has more properties is an object of the runtime, and no data. */
const mostProperties = 200

const any: TypeData = { kind: "any" }
const nothing: TypeData = { kind: "nothing" }

/** Makes data of types, each once; named types are kept beside. */
export class Shapes {
  readonly program: TypeProgram
  readonly #known = new Map<number, TypeData>()
  readonly #named = new Map<string, NamedType>()
  /** Types that are being made; of those met again, the id under which they are kept. */
  readonly #open = new Map<number, { id?: string }>()
  readonly #warnings = new Map<string, Warning>()

  constructor(program: TypeProgram) {
    this.program = program
  }

  /** Every type with a name that was met. */
  get named(): readonly NamedType[] {
    return [...this.#named.values()]
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()]
  }

  /** The type as data. @param from the node that a warning is about. */
  of(type: Type, from: Node): TypeData {
    const known = this.#known.get(type.id)
    if (known) return known
    const simple = this.#simple(type, from)
    if (simple) return simple
    const again = this.#open.get(type.id)
    if (again) {
      again.id ??= `recursive:${this.#named.size + this.#open.size}`
      return { kind: "named", id: again.id }
    }
    if (this.#open.size > deepest) return this.#warn("a type goes deeper and deeper", from, any)
    return this.#compound(type, from)
  }

  #compound(type: Type, from: Node): TypeData {
    const name = nameOf(type, this.program)
    const id = name && `${name.file}:${name.position}:${name.name}`
    if (id) this.#known.set(type.id, { kind: "named", id })
    const open: { id?: string } = id ? { id } : {}
    this.#open.set(type.id, open)
    let made: TypeData
    try {
      made = type.isUnionType() ? this.#union(type.getTypes(), type, from) : this.#object(type, from)
    } finally {
      this.#open.delete(type.id)
    }
    // A name for what comes to a plain string or number would only hide it.
    if (id && isPlain(made)) this.#known.delete(type.id)
    else if (open.id !== undefined) {
      const { name: shown = "Recursive", file = "", comment } = name ?? {}
      this.#named.set(open.id, { id: open.id, name: shown, file, type: made, ...(comment && { comment }) })
      return this.#keep(type, { kind: "named", id: open.id })
    }
    return this.#keep(type, made)
  }

  #keep(type: Type, data: TypeData): TypeData {
    this.#known.set(type.id, data)
    return data
  }

  /** Everything that has no parts; null for the rest. */
  #simple(type: Type, from: Node): TypeData | null {
    const { flags: f, checker } = this.program
    const { flags } = type
    if (flags & f.AnyOrUnknown) return any
    if (flags & f.Never) return { kind: "never" }
    if (flags & (f.Undefined | f.Void | f.ESSymbolLike)) return nothing
    if (flags & f.Null) return { kind: "null" }
    if (flags & f.BigIntLike) return this.#bigint(from)
    if (flags & f.Boolean) return { kind: "boolean" }
    if (type.isLiteralType()) return literal(type)
    if (flags & f.Union) return null
    if (flags & f.String) return { kind: "string" }
    if (flags & f.Number) return { kind: "number" }
    if (type.isTemplateLiteralType())
      return { kind: "string", pattern: this.#pattern(type.texts, type.getTypes()) }
    if (flags & f.StringMapping) return { kind: "string" }
    if (flags & f.NonPrimitive) return { kind: "object", properties: [], values: any }
    if (flags & f.Instantiable) {
      const constraint = checker.getBaseConstraintOfType(type)
      return constraint && constraint.id !== type.id ? this.of(constraint, from) : any
    }
    return null
  }

  #bigint(from: Node): TypeData {
    const fix = "Convert it first: Number(value) or String(value)."
    return this.#warn("JSON cannot hold a bigint, and JSON.stringify throws", from, { kind: "bigint" }, fix)
  }

  /** `/api/${string}` is a pattern. Of types that list their texts the checker makes a union. */
  #pattern(texts: readonly string[], types: readonly Type[]): string {
    const { flags: f } = this.program
    const parts = texts.map((text, i) => {
      const type = types[i]
      const any = type && type.flags & f.Number ? "-?\\d+(?:\\.\\d+)?" : "[\\s\\S]*"
      return escapePattern(text) + (type ? any : "")
    })
    return `^${parts.join("")}$`
  }

  #union(parts: readonly Type[], type: Type, from: Node): TypeData {
    const { flags: f, checker } = this.program
    const empty = parts.filter((part) => part.flags & (f.Null | f.Undefined | f.Void))
    const members: TypeData[] = empty.map((part) => this.of(part, from))
    if (empty.length === 0) members.push(...parts.map((part) => this.of(part, from)))
    else {
      // Without null the union may be one that has a name.
      const rest = checker.getNonNullableType(type) as Type
      members.unshift(rest.flags & f.Never ? { kind: "never" } : this.of(rest, from))
    }
    return unionOf(members)
  }

  #object(type: Type, from: Node): TypeData {
    const { checker, flags: f } = this.program
    if (type.isIntersectionType()) {
      // A brand is a property that only the type checker sees.
      const plain = type.getTypes().find((part) => part.flags & (f.Primitive | f.Union | f.TemplateLiteral))
      if (plain) return this.of(plain, from)
    }
    const known = builtIn(type, this.program)
    if (known?.warning) this.#warn(known.warning, from, known.type)
    if (known) return known.type
    if (type.isTypeReference()) {
      if (checker.isTupleType(type)) return this.#tuple(type, from)
      if (checker.isArrayType(type)) {
        const [item] = checker.getTypeArguments(type)
        return { kind: "array", items: item ? this.of(item, from) : any }
      }
    }
    if (checker.getSignaturesOfType(type, 0).length > 0) return nothing
    const symbols = checker.getPropertiesOfType(type)
    const toJSON = symbols.find(({ name }) => name === "toJSON")
    const converted = toJSON && this.#returned(toJSON)
    if (converted) return this.of(converted, from)
    const values = this.#values(type, from)
    if (symbols.length > mostProperties) return { kind: "object", properties: [], values: any }
    return { kind: "object", properties: this.#properties(symbols, from), ...(values && { values }) }
  }

  #tuple(type: TypeReference, from: Node): TypeData {
    const { checker, elementFlags } = this.program
    const flags = this.program.elementFlagsOf(type)
    const items: TupleItem[] = []
    let rest: TypeData | undefined
    for (const [i, item] of checker.getTypeArguments(type).entries()) {
      const flag = flags[i] ?? elementFlags.Required
      const data = this.of(item, from)
      // What follows a rest is of no fixed place.
      if (rest || flag & elementFlags.Variable) rest = rest ? unionOf([rest, data]) : data
      else items.push({ type: without(data), optional: (flag & elementFlags.Optional) !== 0 })
    }
    return { kind: "tuple", items, ...(rest && { rest }) }
  }

  #returned(method: TypeSymbol): Type | undefined {
    const { checker } = this.program
    const type = checker.getTypeOfSymbol(method)
    const [signature] = type ? checker.getSignaturesOfType(type, 0) : []
    return signature && checker.getReturnTypeOfSignature(signature)
  }

  /** The values of an index signature. Symbols are no keys of JSON. */
  #values(type: Type, from: Node): TypeData | undefined {
    const { checker, flags: f } = this.program
    const infos = checker.getIndexInfosOfType(type).filter(({ keyType }) => !(keyType.flags & f.ESSymbolLike))
    if (infos.length === 0) return undefined
    return unionOf(infos.map(({ valueType }) => without(this.of(valueType, from))))
  }

  #properties(all: readonly TypeSymbol[], from: Node): PropertyData[] {
    const { checker, symbolFlags: s } = this.program
    const symbols = all.filter((symbol) => this.#isSent(symbol)).sort(byPlace)
    const types = symbols.length > 0 ? checker.getTypeOfSymbol(symbols) : []
    return symbols.flatMap((symbol, i) => {
      const type = types[i]
      const handle = symbol.valueDeclaration ?? symbol.declarations[0]
      // What the runtime says of its properties is not worth bringing its files here.
      const node = handle && !isRuntime(handle.path) ? this.program.resolve(handle) : undefined
      const own = node && this.program.isOwn(node.getSourceFile().fileName) ? node : from
      const data = type ? this.of(type, own) : any
      if (data.kind === "nothing" || data.kind === "never") return []
      const comment = node && commentOf(node, this.program)
      const optional = (symbol.flags & s.Optional) !== 0 || hasNothing(data)
      return [{ name: symbol.name, type: without(data), optional, ...(comment && { comment }) }]
    })
  }

  /** Whether JSON.stringify sees a property: own ones alone, under names that are text. */
  #isSent({ name, flags, valueDeclaration }: TypeSymbol): boolean {
    const { symbolFlags: s, kinds } = this.program
    if (name.startsWith("__@") || name.startsWith("__#")) return false
    if (flags & s.Method && !(flags & s.Optional)) return false
    if (!(flags & s.Accessor)) return true
    const parent = this.program.resolve(valueDeclaration)?.parent
    return parent?.kind !== kinds.ClassDeclaration && parent?.kind !== kinds.ClassExpression
  }

  #warn(what: string, from: Node, type: TypeData, fix = "Answer with plain data."): TypeData {
    const at = this.program.place(from)
    this.#warnings.set(`${at.file}:${at.line}:${what}`, { message: what, fix, at })
    return type
  }
}

/** In the order of the source: what is inherited comes in an order of its own from the checker. */
function byPlace(a: TypeSymbol, b: TypeSymbol): number {
  const [one, two] = [a.valueDeclaration ?? a.declarations[0], b.valueDeclaration ?? b.declarations[0]]
  if (!one || !two) return one ? -1 : two ? 1 : a.name < b.name ? -1 : 1
  if (one.path !== two.path) return one.path < two.path ? -1 : 1
  return one.index - two.index || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}

function literal(type: Type): TypeData {
  const { value, intrinsicName } = type as { value?: string | number | boolean; intrinsicName?: string }
  return { kind: "literal", value: value ?? intrinsicName === "true" }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}

function isPlain({ kind }: TypeData): boolean {
  return !["object", "union", "tuple", "array", "any", "literal"].includes(kind)
}

/** One type of several, flat and without repetition. */
export function unionOf(types: readonly TypeData[]): TypeData {
  const members = new Map<string, TypeData>()
  for (const type of types) {
    for (const part of type.kind === "union" ? type.members : [type]) {
      if (part.kind === "any") return any
      if (part.kind !== "never") members.set(JSON.stringify(part), part)
    }
  }
  const list = booleans([...members.values()])
  return list.length === 1
    ? (list[0] as TypeData)
    : list.length === 0
      ? { kind: "never" }
      : { kind: "union", members: list }
}

/** True or false is a boolean, whatever stands between them. */
function booleans(members: TypeData[]): TypeData[] {
  const truth = members.filter((part) => part.kind === "literal" && typeof part.value === "boolean")
  if (truth.length < 2) return members
  const at = members.indexOf(truth[0] as TypeData)
  return members
    .map((part, i): TypeData => (i === at ? { kind: "boolean" } : part))
    .filter((part) => !truth.includes(part))
}

function hasNothing(type: TypeData): boolean {
  return type.kind === "union" && type.members.some(({ kind }) => kind === "nothing")
}

/** The type without undefined: a property that may be it is optional. */
function without(type: TypeData): TypeData {
  return type.kind === "union" ? unionOf(type.members.filter(({ kind }) => kind !== "nothing")) : type
}
