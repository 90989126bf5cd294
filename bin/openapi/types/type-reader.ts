/** The part of reading types that is the same for requests and responses: names, recursion and limits. */

import type { Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import type { NamedType, TypeData, Warning } from "../document/model.ts"
import { listParts } from "../document/type-parts.ts"
import { createLevel, growsEndlessly, type TypeLevel } from "./growth.ts"
import { listPlainParts } from "./input-rules.ts"
import type { ConvertPart } from "./members.ts"
import { type OnLostTags, TaggedTypes } from "./tagged-types.ts"
import { mayBeNothing, toUnion } from "./type-data.ts"
import { intersectTypes } from "./type-limits.ts"
import { TypeNames } from "./type-names.ts"

/** A named type that is not converted yet. */
interface QueuedType extends Omit<NamedType, "type"> {
  readonly type: Type
  readonly from: Node
  readonly level: TypeLevel
}

/**
 * A type without a name is written where it is used, if it contains at most this many types. Without a limit, unnamed
 * types inside each other, with unions of hundreds of interfaces in their properties, would use up all memory.
 */
const maxInlineTypes = 500

/** Converts types to data, each once; named types are stored separately. */
export abstract class TypeReader {
  readonly program: TypeProgram
  protected readonly names: TypeNames
  protected readonly tagged: TaggedTypes
  readonly #known = new Map<number, TypeData>()
  readonly #named = new Map<string, NamedType>()
  /**
   * The data of every named type that was found, by id. It is kept and grows, because making it again for each body
   * would take quadratic time.
   */
  protected readonly types = new Map<string, TypeData>()
  /**
   * Types without a name that are being converted; if one is found again inside itself, with the id under which it is
   * stored.
   */
  readonly #inProgress = new Map<number, { id?: string }>()
  /** Named types that are not converted yet, because a chain of them may have any length. */
  readonly #queue: QueuedType[] = []
  readonly #seenIDs = new Set<string>()
  readonly #warnings = new Map<string, Warning>()
  readonly #sizes = new WeakMap<TypeData, number>()
  #level: TypeLevel | undefined
  /** The property that contains the current type. */
  #hint = ""
  #recursive = 0
  /** The end of the ids of named types. It distinguishes the ids of two readers. */
  protected readonly idSuffix: string = ""

  constructor(program: TypeProgram) {
    this.program = program
    this.names = new TypeNames(program)
    this.tagged = new TaggedTypes(program)
  }

  /** Converts a type without parts; null for others. */
  protected abstract convertSimple(type: Type, from: Node): TypeData | null
  /** Converts a type that is not data, or that becomes other data; null for others. */
  protected abstract convertSpecial(type: Type, from: Node): TypeData | null
  /** Converts an array, a tuple or an object. */
  protected abstract convertObject(type: Type, from: Node): TypeData
  /** Receives tags that have no effect where they are. */
  protected readonly onLostTags: OnLostTags = () => undefined
  /** Returns the data for a type that never ends. */
  protected abstract convertEndless(from: Node): TypeData

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
  convert(type: Type, from: Node): TypeData {
    const data = this.convertPart(type, from)
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.#convertQueued(next)
    return data
  }

  #convertQueued({ type, from, level, ...named }: QueuedType): void {
    this.#level = level
    try {
      const alias = this.program.resolveNode(type.getAliasSymbol()?.declarations[0]) as SyntaxNode | undefined
      this.#store({
        ...named,
        type: this.tagged.addTags(this.#convertParts(type, from), alias?.type, this.onLostTags),
      })
    } finally {
      this.#level = undefined
    }
  }

  protected readonly convertPart: ConvertPart = (type, from, hint = this.#hint) => {
    const known = this.#known.get(type.id)
    if (known) return known
    const before = this.#hint
    this.#hint = hint
    const simple = this.convertSimple(type, from) ?? this.convertSpecial(type, from)
    this.#hint = before
    if (simple) return this.#keep(type, simple)
    const openType = this.#inProgress.get(type.id)
    if (openType) {
      openType.id ??= this.#newID()
      return { kind: "named", id: openType.id }
    }
    return this.#convertCompound(type, from, hint)
  }

  #convertCompound(type: Type, from: Node, hint: string): TypeData {
    const name = this.#mayBeNothing(type) ? null : this.names.findName(type)
    const level = createLevel(type, this.#level, name !== null)
    if (growsEndlessly(level, this.program)) return this.convertEndless(from)
    if (!name) return this.#convertNested(type, from, hint, level)
    const id = name.id + this.idSuffix
    if (!this.#seenIDs.has(id)) {
      this.#seenIDs.add(id)
      this.#queue.push({ ...name, id, type, from, level })
    }
    return this.#keep(type, { kind: "named", id })
  }

  /** Converts a type without a name where it is used. A type that contains itself is stored separately. */
  #convertNested(type: Type, from: Node, hint: string, level: TypeLevel): TypeData {
    const open: { id?: string } = {}
    const before = [this.#level, this.#hint] as const
    this.#inProgress.set(type.id, open)
    this.#level = level
    this.#hint = hint
    let typeData: TypeData
    try {
      typeData = this.#convertParts(type, from)
    } finally {
      this.#inProgress.delete(type.id)
      ;[this.#level, this.#hint] = before
    }
    const isLarge = !mayBeNothing(typeData) && this.#countTypes(typeData) > maxInlineTypes
    if (open.id === undefined && !isLarge) return this.#keep(type, typeData)
    const id = open.id ?? this.#newID()
    const { file, line } = this.program.findPlace(from)
    const name = this.names.createName(type, hint || (open.id === undefined ? "large" : "recursive"))
    this.#store({ id, name, file, line, synthetic: true, type: typeData })
    return this.#keep(type, { kind: "named", id })
  }

  #store(named: NamedType): void {
    this.#named.set(named.id, named)
    this.types.set(named.id, named.type)
  }

  #newID(): string {
    return `recursive:${this.program.generation}:${this.#recursive++}${this.idSuffix}`
  }

  /** Returns the number of types in a type, without those in named ones. */
  #countTypes(type: TypeData): number {
    const known = this.#sizes.get(type)
    if (known !== undefined) return known
    const size = listParts(type).reduce((sum, part) => sum + this.#countTypes(part), 1)
    this.#sizes.set(type, size)
    return size
  }

  #keep(type: Type, data: TypeData): TypeData {
    // A type that has the place where it was found is a new object for every place.
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

  #convertParts(type: Type, from: Node): TypeData {
    return type.isUnionType() ? this.#convertUnion(type.getTypes(), type, from) : this.convertObject(type, from)
  }

  /**
   * Converts an intersection of plain types, without the brands that were added to them; null for an intersection of
   * objects.
   */
  protected convertUnbranded(type: Type, from: Node): TypeData | null {
    const plain = listPlainParts(type, this.program)
    return plain.length > 0 ? intersectTypes(plain.map((part) => this.convertPart(part, from))) : null
  }

  #convertUnion(parts: readonly Type[], type: Type, from: Node): TypeData {
    const { flags: f, checker } = this.program
    const empty = parts.filter((part) => part.flags & (f.Null | f.Undefined | f.Void))
    const members: TypeData[] = empty.map((part) => this.convertPart(part, from))
    if (empty.length === 0) members.push(...parts.map((part) => this.convertPart(part, from)))
    else {
      // Without null, the type may be a union with a name.
      const others = parts.filter((part) => !empty.includes(part))
      const rest = (others.length === 1 ? others[0] : checker.getNonNullableType(type)) as Type
      members.unshift(rest.flags & f.Never ? { kind: "never" } : this.convertPart(rest, from))
    }
    return toUnion(members)
  }

  protected warn(what: string, from: Node, type: TypeData, fix = "Answer with plain data."): TypeData {
    const at = this.program.findPlace(from)
    this.#warnings.set(`${at.file}:${at.line}:${what}`, { message: what, fix, at })
    return type
  }
}
