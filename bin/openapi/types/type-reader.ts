/** The base class for converting types of requests and of responses: names, recursion and limits. */
import type { Node, Type, TypeProgram } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import type { NamedType, TypeData, Warning } from "../document/model.ts"
import { listParts } from "../document/type-parts.ts"
import { listPlainParts } from "./input-rules.ts"
import type { ConvertPart } from "./members.ts"
import { type OnLostTags, SyntaxTags } from "./syntax-tags.ts"
import { mayBeNothing, toUnion } from "./type-data.ts"
import { intersectTypes } from "./type-limits.ts"
import { TypeNames } from "./type-names.ts"

/** A named type that waits for conversion. */
interface QueuedType extends Omit<NamedType, "type"> {
  readonly type: Type
  readonly from: Node
  readonly level: TypeLevel
}

/**
 * An unnamed type with at most this many types inside is written where it is used. Without a limit, nested unnamed
 * types with unions of hundreds of interfaces would use up all memory.
 */
const maxInlineTypes = 500

/** Converts types to data, each once. Named types are stored separately. */
export abstract class TypeReader {
  readonly program: TypeProgram
  protected readonly names: TypeNames
  protected readonly syntaxTags: SyntaxTags
  readonly #dataByTypeID = new Map<number, TypeData>()
  readonly #named = new Map<string, NamedType>()
  /**
   * The data of all named types so far, by id. It is one growing map, because creating it again for each body would
   * take quadratic time.
   */
  protected readonly types = new Map<string, TypeData>()
  /**
   * Unnamed types that are being converted. If such a type contains itself, it gets an id under which it is stored.
   */
  readonly #inProgress = new Map<number, { id?: string }>()
  /** Named types that wait for conversion. A queue, because recursion could become too deep. */
  readonly #queue: QueuedType[] = []
  readonly #queuedIDs = new Set<string>()
  readonly #warnings = new Map<string, Warning>()
  readonly #sizes = new WeakMap<TypeData, number>()
  #level: TypeLevel | undefined
  /** The property that contains the current type. */
  #hint = ""
  #syntheticCount = 0
  /** The end of the ids of named types, which distinguishes the types of two readers. */
  protected readonly idSuffix: string = ""

  constructor(program: TypeProgram) {
    this.program = program
    this.names = new TypeNames(program)
    this.syntaxTags = new SyntaxTags(program)
  }

  /** Converts a type that contains no other types; null for other types. */
  protected abstract convertSimple(type: Type, from: Node): TypeData | null
  /** Converts a type that is not data, or whose values become other data; null for other types. */
  protected abstract convertSpecial(type: Type, from: Node): TypeData | null
  /** Converts an array, a tuple or an object. */
  protected abstract convertObject(type: Type, from: Node): TypeData
  /** Receives tags that have no effect. */
  protected readonly onLostTags: OnLostTags = () => undefined
  /** Returns the data for a type that would never end. */
  protected abstract convertEndless(from: Node): TypeData

  /** The name of the property that contains the current type; `""` if there is none. */
  protected get property(): string {
    return this.#hint
  }

  /** All named types so far. */
  get namedTypes(): readonly NamedType[] {
    return [...this.#named.values()]
  }

  get warnings(): readonly Warning[] {
    return [...this.#warnings.values()]
  }

  /**
   * Converts a type to data.
   *
   * @param from the node at which warnings are reported.
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
        type: this.syntaxTags.addTags(this.#convertParts(type, from), alias?.type, this.onLostTags),
      })
    } finally {
      this.#level = undefined
    }
  }

  protected readonly convertPart: ConvertPart = (type, from, hint = this.#hint) => {
    const known = this.#dataByTypeID.get(type.id)
    if (known) return known
    const before = this.#hint
    this.#hint = hint
    const simple = this.convertSimple(type, from) ?? this.convertSpecial(type, from)
    this.#hint = before
    if (simple) return this.#cache(type, simple)
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
    if (!this.#queuedIDs.has(id)) {
      this.#queuedIDs.add(id)
      this.#queue.push({ ...name, id, type, from, level })
    }
    return this.#cache(type, { kind: "named", id })
  }

  /** Converts an unnamed type where it is used. A type that contains itself is stored separately. */
  #convertNested(type: Type, from: Node, hint: string, level: TypeLevel): TypeData {
    const entry: { id?: string } = {}
    const before = [this.#level, this.#hint] as const
    this.#inProgress.set(type.id, entry)
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
    if (entry.id === undefined && !isLarge) return this.#cache(type, typeData)
    const id = entry.id ?? this.#newID()
    const { file, line } = this.program.findPlace(from)
    const name = this.names.createName(type, hint || (entry.id === undefined ? "large" : "recursive"))
    this.#store({ id, name, file, line, synthetic: true, type: typeData })
    return this.#cache(type, { kind: "named", id })
  }

  #store(named: NamedType): void {
    this.#named.set(named.id, named)
    this.types.set(named.id, named.type)
  }

  #newID(): string {
    return `recursive:${this.program.generation}:${this.#syntheticCount++}${this.idSuffix}`
  }

  /** Returns the number of types in a type. Named types count as one. */
  #countTypes(type: TypeData): number {
    const known = this.#sizes.get(type)
    if (known !== undefined) return known
    const size = listParts(type).reduce((sum, part) => sum + this.#countTypes(part), 1)
    this.#sizes.set(type, size)
    return size
  }

  #cache(type: Type, data: TypeData): TypeData {
    // An `any` contains the position where it was found, so it is not shared.
    if (data.kind !== "any") this.#dataByTypeID.set(type.id, data)
    return data
  }

  /**
   * Returns true if undefined is a member of a union. Such a union keeps no name, which would hide that a property
   * may be missing.
   */
  #mayBeNothing(type: Type): boolean {
    const { flags: f } = this.program
    return type.isUnionType() && type.getTypes().some(({ flags }) => flags & (f.Undefined | f.Void))
  }

  #convertParts(type: Type, from: Node): TypeData {
    return type.isUnionType() ? this.#convertUnion(type.getTypes(), type, from) : this.convertObject(type, from)
  }

  /** Converts an intersection of plain types without their brands; null for an intersection of objects. */
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
      // Without null, the rest may be a union that has a name.
      const others = parts.filter((part) => !empty.includes(part))
      const rest = (others.length === 1 ? others[0] : checker.getNonNullableType(type)) as Type
      members.unshift(rest.flags & f.Never ? { kind: "never" } : this.convertPart(rest, from))
    }
    return toUnion(members)
  }

  protected warn(problem: string, from: Node, type: TypeData, fix = "Answer with plain data."): TypeData {
    const at = this.program.findPlace(from)
    this.#warnings.set(`${at.file}:${at.line}:${problem}`, { message: problem, fix, at })
    return type
  }
}

/** A type that is being converted, with the types around it. */
interface TypeLevel {
  readonly type: Type
  /** The id of the symbol of its alias, otherwise of its own symbol. */
  readonly symbolID: number | undefined
  /** The number of unnamed types around it, up to the nearest named type. */
  readonly depth: number
  readonly parent: TypeLevel | undefined
}

/** How many instances of a generic type may be nested if each one is larger than the one around it. */
const maxGrowingInstances = 4
/** How deeply unnamed types may be nested. */
const maxNesting = 60
/** How deeply instances of one unnamed type without type arguments may be nested. */
const maxAlikeNesting = 24
/** TypeScript's flag `NodeBuilderFlags.NoTruncation`, with which it prints long types completely. */
const noTruncation = 1

/**
 * Returns the level of a type.
 *
 * @param isComponent true if the type becomes a component of its own, so that nesting starts again.
 */
function createLevel(type: Type, parent: TypeLevel | undefined, isComponent: boolean): TypeLevel {
  const symbolID = (type.getAliasSymbol() ?? type.getSymbol())?.id
  return { type, symbolID, depth: isComponent ? 0 : (parent?.depth ?? 0) + 1, parent }
}

/**
 * Returns true if converting a type would probably never end: it is nested too deeply, or the arguments of nested
 * instances of one symbol get ever longer.
 */
function growsEndlessly(level: TypeLevel, program: TypeProgram): boolean {
  if (level.depth > maxNesting) return true
  if (level.symbolID === undefined) return false
  const sameSymbolTypes: Type[] = []
  for (let at: TypeLevel | undefined = level; at; at = at.parent)
    if (at.symbolID === level.symbolID) sameSymbolTypes.push(at.type)
  if (sameSymbolTypes.length <= maxGrowingInstances) return false
  if (!hasArguments(level.type, program)) return sameSymbolTypes.length > maxAlikeNesting
  const bracketCounts = sameSymbolTypes.slice(0, maxGrowingInstances + 1).map((type) => countBrackets(type, program))
  return bracketCounts.every((own, i) => i === 0 || own < (bracketCounts[i - 1] as number))
}

function hasArguments(type: Type, { checker }: TypeProgram): boolean {
  if ((type.getAliasTypeArguments() ?? []).length > 0) return true
  return type.isTypeReference() && checker.getTypeArguments(type).length > 0
}

/** Returns the number of opening brackets in a type, which tells how much is nested in its arguments. */
function countBrackets(type: Type, { checker }: TypeProgram): number {
  return checker.typeToString(type, undefined, noTruncation).match(/[<[{(]/g)?.length ?? 0
}
