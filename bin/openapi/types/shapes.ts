/** Converts the checker's types to types as data: the JSON of their values. */
import type { NamedType, TypeData, Warning } from "../../../lib/openapi/model.ts"
import type { Node, Type, TypeProgram, TypeSymbol } from "../../tools/typescript/program.ts"
import { builtIn } from "./built-in.ts"
import { grows, type Level, levelOf } from "./growth.ts"
import { type PropertyTools, patternOf, propertiesOf, tupleOf, valuesOf } from "./members.ts"
import { extrasOf, isArray, isOfRuntime, isTuple } from "./syntax-of-types.ts"
import { any, nothing, unionOf } from "./type-data.ts"
import { TypeNames } from "./type-names.ts"

/** An object of the runtime with more properties than this, such as `window`, is not data. */
const mostOfRuntime = 100

/** A named type that is not converted yet. */
interface Waiting extends Omit<NamedType, "type"> {
  readonly type: Type
  readonly from: Node
  readonly level: Level
}

/** Converts types, each once; named types are stored separately. */
export class Shapes {
  readonly program: TypeProgram
  readonly #names: TypeNames
  readonly #propertyTools: PropertyTools
  readonly #known = new Map<number, TypeData>()
  readonly #named = new Map<string, NamedType>()
  /**
   * Types without a name that are being converted; for those found again, the id under which they are stored.
   */
  readonly #open = new Map<number, { id?: string }>()
  /** Named types that are not converted yet, because a chain of them may have any length. */
  readonly #waiting: Waiting[] = []
  readonly #met = new Set<string>()
  readonly #warnings = new Map<string, Warning>()
  #level: Level | undefined
  /** The property that contains the current type. */
  #hint = ""
  #recursive = 0

  constructor(program: TypeProgram) {
    this.program = program
    this.#names = new TypeNames(program)
    this.#propertyTools = { program, make: this.#of, sourceOf: this.#names.sourceOf }
  }

  /** Every named type that was found. */
  get named(): readonly NamedType[] {
    return [...this.#named.values()]
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()]
  }

  /**
   * Returns a type as data.
   *
   * @param from the node for warnings.
   */
  of(type: Type, from: Node): TypeData {
    const data = this.#of(type, from)
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#finish(next)
    return data
  }

  #finish({ type, from, level, ...named }: Waiting): void {
    this.#level = level
    try {
      this.#named.set(named.id, { ...named, type: this.#parts(type, from) })
    } finally {
      this.#level = undefined
    }
  }

  readonly #of = (type: Type, from: Node, hint = this.#hint): TypeData => {
    const known = this.#known.get(type.id)
    if (known) return known
    const simple = this.#simple(type, from) ?? this.#converted(type, from)
    if (simple) return this.#keep(type, simple)
    const again = this.#open.get(type.id)
    if (again) {
      again.id ??= `recursive:${this.program.generation}:${this.#recursive++}`
      return { kind: "named", id: again.id }
    }
    return this.#compound(type, from, hint)
  }

  #compound(type: Type, from: Node, hint: string): TypeData {
    const name = this.#mayBeNothing(type) ? null : this.#names.of(type)
    const level = levelOf(type, this.#level, name !== null)
    if (grows(level, this.program)) return this.#warn("a type grows with every level", from, any)
    if (!name) return this.#nested(type, from, hint, level)
    const { id } = name
    if (!this.#met.has(id)) {
      this.#met.add(id)
      this.#waiting.push({ ...name, type, from, level })
    }
    return this.#keep(type, { kind: "named", id })
  }

  /** Converts a type without a name in place; one that contains itself is stored separately. */
  #nested(type: Type, from: Node, hint: string, level: Level): TypeData {
    const open: { id?: string } = {}
    const before = [this.#level, this.#hint] as const
    this.#open.set(type.id, open)
    this.#level = level
    this.#hint = hint
    let made: TypeData
    try {
      made = this.#parts(type, from)
    } finally {
      this.#open.delete(type.id)
      ;[this.#level, this.#hint] = before
    }
    if (open.id === undefined) return this.#keep(type, made)
    const { file, line } = this.program.place(from)
    const name = this.#names.wordOf(type, hint)
    this.#named.set(open.id, { id: open.id, name, file, line, synthetic: true, type: made })
    return this.#keep(type, { kind: "named", id: open.id })
  }

  #keep(type: Type, data: TypeData): TypeData {
    this.#known.set(type.id, data)
    return data
  }

  /** Converts a type without parts; null for others. */
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
      return { kind: "string", pattern: patternOf(type.texts, type.getTypes(), this.program) }
    if (flags & f.StringMapping) return { kind: "string" }
    if (flags & f.NonPrimitive) return { kind: "object", properties: [], values: any }
    if (flags & f.Instantiable) {
      const constraint = checker.getBaseConstraintOfType(type)
      return constraint && constraint.id !== type.id ? this.#of(constraint, from) : any
    }
    return null
  }

  #bigint(from: Node): TypeData {
    const fix = "Convert it first: Number(value) or String(value)."
    return this.#warn("JSON cannot hold a bigint, and JSON.stringify throws", from, { kind: "bigint" }, fix)
  }

  /** Converts a type that JSON.stringify changes; null for others. A name would only hide the result. */
  #converted(type: Type, from: Node): TypeData | null {
    const { checker } = this.program
    if (type.isUnionType()) return null
    if (type.isIntersectionType()) return this.#unbranded(type.getTypes(), from)
    const known = builtIn(type, this.program)
    if (known?.warning) this.#warn(known.warning, from, known.type)
    if (known) return known.type
    if (isArray(type) || isTuple(type)) return null
    const isCalled =
      extrasOf(type, this.program).signatures && checker.getSignaturesOfType(type, 0).length > 0
    if (isCalled) return nothing
    const sent = this.#serialized(type)
    if (!sent) return null
    const plain = this.#simple(sent, from) ?? this.#converted(sent, from)
    return plain ?? (this.#names.of(sent) ? this.#of(sent, from) : null)
  }

  /** Returns the result type of `toJSON()`. */
  #serialized(type: Type): Type | undefined {
    const { checker } = this.program
    const toJSON = checker.getPropertiesOfType(type).find(({ name }) => name === "toJSON")
    const method = toJSON && checker.getTypeOfSymbol(toJSON)
    const [signature] = method ? checker.getSignaturesOfType(method, 0) : []
    const sent = signature && checker.getReturnTypeOfSignature(signature)
    return sent?.id === type.id ? undefined : sent
  }

  /** Removes a brand, a property that only the type checker sees. */
  #unbranded(parts: readonly Type[], from: Node): TypeData | null {
    const { flags: f } = this.program
    const plain = parts.find((part) => part.flags & (f.Primitive | f.Union | f.TemplateLiteral))
    return plain ? this.#of(plain, from) : null
  }

  /**
   * Returns true if undefined is a member of a union, because a name would hide that a property may be
   * missing.
   */
  #mayBeNothing(type: Type): boolean {
    const { flags: f } = this.program
    return type.isUnionType() && type.getTypes().some(({ flags }) => flags & (f.Undefined | f.Void))
  }

  #parts(type: Type, from: Node): TypeData {
    return type.isUnionType() ? this.#union(type.getTypes(), type, from) : this.#object(type, from)
  }

  #union(parts: readonly Type[], type: Type, from: Node): TypeData {
    const { flags: f, checker } = this.program
    const empty = parts.filter((part) => part.flags & (f.Null | f.Undefined | f.Void))
    const members: TypeData[] = empty.map((part) => this.#of(part, from))
    if (empty.length === 0) members.push(...parts.map((part) => this.#of(part, from)))
    else {
      // Without null it may be a union with a name.
      const others = parts.filter((part) => !empty.includes(part))
      const rest = (others.length === 1 ? others[0] : checker.getNonNullableType(type)) as Type
      members.unshift(rest.flags & f.Never ? { kind: "never" } : this.#of(rest, from))
    }
    return unionOf(members)
  }

  #object(type: Type, from: Node): TypeData {
    const { checker } = this.program
    if (isTuple(type)) return tupleOf(type, from, this.program, this.#of)
    if (isArray(type)) {
      const [item] = checker.getTypeArguments(type)
      return { kind: "array", items: item ? this.#of(item, from) : any }
    }
    const sent = this.#serialized(type)
    if (sent) return this.#of(sent, from)
    const symbols = checker.getPropertiesOfType(type)
    const listed = symbols.some(isOfArray) && checker.getIndexInfosOfType(type)[0]
    if (listed) return { kind: "array", items: this.#of(listed.valueType, from) }
    const inherits = this.#isClass(type) || symbols.some(isOfError)
    const own = inherits ? symbols.filter((symbol) => !isOfRuntime(symbol)) : symbols
    const rest = extrasOf(type, this.program).index ? valuesOf(type, from, this.program, this.#of) : {}
    if (own.length > mostOfRuntime && own.every(isOfRuntime)) {
      const what = "an object of the runtime is not data"
      return this.#warn(what, from, { kind: "object", properties: [], values: any })
    }
    return { kind: "object", properties: propertiesOf(type, own, from, this.#propertyTools), ...rest }
  }

  /**
   * Returns true for a class of the project. Members inherited from the runtime, such as Error's message, are
   * not own ones or not enumerable.
   */
  #isClass(type: Type): boolean {
    return ((type.getSymbol()?.flags ?? 0) & this.program.symbolFlags.Class) !== 0
  }

  #warn(what: string, from: Node, type: TypeData, fix = "Answer with plain data."): TypeData {
    const at = this.program.place(from)
    this.#warnings.set(`${at.file}:${at.line}:${what}`, { message: what, fix, at })
    return type
  }
}

/** Returns true for arrays and their subclasses. Other types with items cannot be joined. */
function isOfArray(symbol: TypeSymbol): boolean {
  return symbol.name === "concat" && isOfRuntime(symbol)
}

/** Returns true for an interface that extends Error, whose message is not enumerable. */
function isOfError(symbol: TypeSymbol): boolean {
  return symbol.name === "stack" && isOfRuntime(symbol)
}

function literal(type: Type): TypeData {
  const { value, intrinsicName } = type as { value?: string | number | boolean; intrinsicName?: string }
  return { kind: "literal", value: value ?? intrinsicName === "true" }
}
