/** The part of reading types that is the same for what is sent and for what is received: names, recursion and limits. */
import type { NamedType, TypeData, Warning } from "../../../lib/openapi/model.ts"
import { partsOf } from "../../../lib/openapi/type-parts.ts"
import type { Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { grows, type Level, levelOf } from "./growth.ts"
import { plainParts } from "./input-rules.ts"
import { allOf } from "./limits.ts"
import type { MakePart } from "./members.ts"
import { type Lose, TaggedTypes } from "./tagged-types.ts"
import { hasNothing, unionOf } from "./type-data.ts"
import { TypeNames } from "./type-names.ts"

/** A named type that is not converted yet. */
interface Waiting extends Omit<NamedType, "type"> {
  readonly type: Type
  readonly from: Node
  readonly level: Level
}

/**
 * Most types inside a type without a name that is written where it is used. Unions of hundreds of interfaces, in
 * properties of types without a name inside each other, would take as much as memory has.
 */
const mostInPlace = 500

/** Converts types to data, each once; named types are stored separately. */
export abstract class TypeReader {
  readonly program: TypeProgram
  protected readonly names: TypeNames
  protected readonly tagged: TaggedTypes
  readonly #known = new Map<number, TypeData>()
  readonly #named = new Map<string, NamedType>()
  /** The data of every named type that was found, by id. Kept as it grows: making it for each body would be quadratic. */
  protected readonly types = new Map<string, TypeData>()
  /**
   * Types without a name that are being converted; for those found again, the id under which they are stored.
   */
  readonly #open = new Map<number, { id?: string }>()
  /** Named types that are not converted yet, because a chain of them may have any length. */
  readonly #waiting: Waiting[] = []
  readonly #met = new Set<string>()
  readonly #warnings = new Map<string, Warning>()
  readonly #sizes = new WeakMap<TypeData, number>()
  #level: Level | undefined
  /** The property that contains the current type. */
  #hint = ""
  #recursive = 0
  /** The end of the ids of named types, which distinguishes those of two readers. */
  protected readonly idEnd: string = ""

  constructor(program: TypeProgram) {
    this.program = program
    this.names = new TypeNames(program)
    this.tagged = new TaggedTypes(program)
  }

  /** Converts a type without parts; null for others. */
  protected abstract simple(type: Type, from: Node): TypeData | null
  /** Converts a type that is not data, or that becomes other data; null for others. */
  protected abstract converted(type: Type, from: Node): TypeData | null
  /** Converts an array, a tuple or an object. */
  protected abstract object(type: Type, from: Node): TypeData
  /** Receives tags that do not count. */
  protected readonly lose: Lose = () => undefined
  /** Data for a type that never ends. */
  protected abstract endless(from: Node): TypeData

  /** The property that contains the current type; `""` if there is none. */
  protected get property(): string {
    return this.#hint
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
    const data = this.part(type, from)
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#finish(next)
    return data
  }

  #finish({ type, from, level, ...named }: Waiting): void {
    this.#level = level
    try {
      const alias = this.program.resolve(type.getAliasSymbol()?.declarations[0]) as SyntaxNode | undefined
      this.#store({ ...named, type: this.tagged.of(this.#parts(type, from), alias?.type, this.lose) })
    } finally {
      this.#level = undefined
    }
  }

  protected readonly part: MakePart = (type, from, hint = this.#hint) => {
    const known = this.#known.get(type.id)
    if (known) return known
    const before = this.#hint
    this.#hint = hint
    const simple = this.simple(type, from) ?? this.converted(type, from)
    this.#hint = before
    if (simple) return this.#keep(type, simple)
    const again = this.#open.get(type.id)
    if (again) {
      again.id ??= this.#newID()
      return { kind: "named", id: again.id }
    }
    return this.#compound(type, from, hint)
  }

  #compound(type: Type, from: Node, hint: string): TypeData {
    const name = this.#mayBeNothing(type) ? null : this.names.of(type)
    const level = levelOf(type, this.#level, name !== null)
    if (grows(level, this.program)) return this.endless(from)
    if (!name) return this.#nested(type, from, hint, level)
    const id = name.id + this.idEnd
    if (!this.#met.has(id)) {
      this.#met.add(id)
      this.#waiting.push({ ...name, id, type, from, level })
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
    const isLarge = !hasNothing(made) && this.#sizeOf(made) > mostInPlace
    if (open.id === undefined && !isLarge) return this.#keep(type, made)
    const id = open.id ?? this.#newID()
    const { file, line } = this.program.place(from)
    const name = this.names.wordOf(type, hint || (open.id === undefined ? "large" : "recursive"))
    this.#store({ id, name, file, line, synthetic: true, type: made })
    return this.#keep(type, { kind: "named", id })
  }

  #store(named: NamedType): void {
    this.#named.set(named.id, named)
    this.types.set(named.id, named.type)
  }

  #newID(): string {
    return `recursive:${this.program.generation}:${this.#recursive++}${this.idEnd}`
  }

  /** Returns the number of types in a type, without those in named ones. */
  #sizeOf(type: TypeData): number {
    const known = this.#sizes.get(type)
    if (known !== undefined) return known
    const size = partsOf(type).reduce((sum, part) => sum + this.#sizeOf(part), 1)
    this.#sizes.set(type, size)
    return size
  }

  #keep(type: Type, data: TypeData): TypeData {
    // One with the place where it was found is new for every place.
    if (data.kind !== "any") this.#known.set(type.id, data)
    return data
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
    return type.isUnionType() ? this.#union(type.getTypes(), type, from) : this.object(type, from)
  }

  /** Converts an intersection of plain types, without the brands that were added to them; null for one of objects. */
  protected unbranded(type: Type, from: Node): TypeData | null {
    const plain = plainParts(type, this.program)
    return plain.length > 0 ? allOf(plain.map((part) => this.part(part, from))) : null
  }

  #union(parts: readonly Type[], type: Type, from: Node): TypeData {
    const { flags: f, checker } = this.program
    const empty = parts.filter((part) => part.flags & (f.Null | f.Undefined | f.Void))
    const members: TypeData[] = empty.map((part) => this.part(part, from))
    if (empty.length === 0) members.push(...parts.map((part) => this.part(part, from)))
    else {
      // Without null it may be a union with a name.
      const others = parts.filter((part) => !empty.includes(part))
      const rest = (others.length === 1 ? others[0] : checker.getNonNullableType(type)) as Type
      members.unshift(rest.flags & f.Never ? { kind: "never" } : this.part(rest, from))
    }
    return unionOf(members)
  }

  protected warn(what: string, from: Node, type: TypeData, fix = "Answer with plain data."): TypeData {
    const at = this.program.place(from)
    this.#warnings.set(`${at.file}:${at.line}:${what}`, { message: what, fix, at })
    return type
  }
}
