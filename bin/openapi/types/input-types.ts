/**
 * Converts types to what a request must contain. Types against which requests cannot be checked are refused with a
 * reason.
 */

import type { Node, Type } from "../../tools/typescript/program.ts"
import type { SyntaxNode } from "../../tools/typescript/syntax.ts"
import { inputSuffix } from "../document/input-variants.ts"
import type { Notice, TypeData, TypeProblem, Warning } from "../document/model.ts"
import { findBuiltInType } from "./built-in.ts"
import { toFormInput } from "./form-input.ts"
import { addDefault, findNotices, findProblems, type InputFrom } from "./input-checks.ts"
import { findDataProblem, findListItem } from "./input-rules.ts"
import {
  type PropertyTools,
  readIndexValues,
  readProperties,
  toObject,
  toPatternFromParts,
  toTemplate,
  toTuple,
} from "./members.ts"
import { isArray, isTuple } from "./syntax-of-types.ts"
import type { OnLostTags } from "./syntax-tags.ts"
import { anyObjectType, anyType, nothingType, removeNothing } from "./type-data.ts"
import { TypeReader } from "./type-reader.ts"

export type { InputFrom } from "./input-checks.ts"

const plainFix = "Use plain data, or pass a schema."

/** Converts the types of bodies, forms and queries. Named types are stored in {@link namedTypes}. */
export class InputTypes extends TypeReader {
  readonly #notices = new Map<string, Notice>()
  protected override readonly onLostTags: OnLostTags = (subject, node) => {
    const at = this.program.findPlace(node)
    const message = `the tags of "${subject}" do not count here, because TypeScript does not keep them`
    this.#notices.set(`${at.file}:${at.line}:${subject}`, { message, fix: "Put them on a property.", at })
  }
  readonly #tools: PropertyTools = {
    program: this.program,
    convertPart: this.convertPart,
    syntaxTags: this.syntaxTags,
    onLostTags: this.onLostTags,
    isRequest: true,
  }
  protected override readonly idSuffix = inputSuffix
  readonly #problems = new Map<string, TypeProblem>()
  readonly #problemsByType = new Map<string, readonly TypeProblem[]>()

  /** The reasons why requests cannot be checked against some of the converted types. */
  get problems(): readonly TypeProblem[] {
    return [...this.#problems.values()]
  }

  /** Positions where any value is accepted, and tags that may be misspelt. */
  get notices(): readonly Notice[] {
    return [...this.#notices.values()]
  }

  /**
   * Returns what a request must contain to match a type.
   *
   * @param from the node at which problems are reported.
   * @param kind the part of the request.
   */
  override convert(type: Type, from: Node, kind: InputFrom = "json"): TypeData {
    const { type: written, typeArguments: [argument] = [] } = from as SyntaxNode
    const data = this.syntaxTags.addTags(super.convert(type, from), argument ?? written, this.onLostTags)
    const shape = kind === "json" ? data : toFormInput(data, this.types, this.program.findPlace(from))
    const problems = findProblems(shape, kind, this.types, this.program.findPlace(from))
    this.#problemsByType.set(`${kind}:${type.id}`, problems)
    for (const problem of problems) this.#problems.set(toWarningKey(problem), problem)
    for (const notice of findNotices(shape, this.types, this.program.findPlace(from)))
      this.#notices.set(toWarningKey(notice), notice)
    return shape
  }

  /** Returns the reasons why requests cannot be checked against a type that was converted; none if they can. */
  listProblems(type: Type, kind: InputFrom = "json"): readonly TypeProblem[] {
    return this.#problemsByType.get(`${kind}:${type.id}`) ?? []
  }

  protected override convertEndless(from: Node): TypeData {
    return this.#refuse("is nested too deeply, or grows with every level", from)
  }

  protected override convertSimple(type: Type, from: Node): TypeData | null {
    const { flags: f } = this.program
    const { flags } = type
    if (flags & f.AnyOrUnknown) return this.#convertAny(type, from)
    if (flags & f.Never) return { kind: "never" }
    if (flags & (f.Undefined | f.Void)) return nothingType
    if (flags & f.ESSymbolLike) return this.#refuse("is a symbol", from)
    if (flags & f.Null) return { kind: "null" }
    if (flags & f.BigIntLiteral) return this.#refuse("is a literal bigint", from, "Use bigint.")
    if (flags & f.BigInt) return { kind: "integer-text" }
    if (flags & f.Boolean) return { kind: "boolean" }
    if (type.isLiteralType()) return toLiteral(type) ?? this.#refuse("is a number that JSON cannot hold", from)
    if (flags & f.Union) return null
    if (flags & f.String) return { kind: "string" }
    if (flags & (f.Number | f.Enum)) return { kind: "number" }
    if (type.isTemplateLiteralType()) return this.#convertTemplate(type.texts, type.getTypes(), from)
    if (flags & f.StringMapping) return this.#refuse("is a text that is computed, such as Uppercase<string>", from)
    if (flags & f.NonPrimitive) return anyObjectType
    if (flags & f.Instantiable) {
      const fix = "Bind where the type is known, or pass a schema."
      return this.#refuse("depends on a type parameter", from, fix)
    }
    return null
  }

  #convertAny(type: Type, from: Node): TypeData {
    const { intrinsicName } = type as { intrinsicName?: string }
    if (intrinsicName !== "any" && intrinsicName !== "unknown")
      return this.#refuse("is a name that TypeScript cannot find", from, "Run tsc --noEmit.", true)
    return { kind: "any", anyAt: this.program.findPlace(from) }
  }

  #convertTemplate(texts: readonly string[], types: readonly Type[], from: Node): TypeData {
    const template = this.#toTemplateParts(texts, types)
    return template
      ? { kind: "string", pattern: toPatternFromParts(template), template }
      : this.#refuse("is a template literal type with a part that cannot be checked", from)
  }

  #toTemplateParts(texts: readonly string[], types: readonly Type[]) {
    const { flags: f } = this.program
    const isKnown = types.every(({ flags }) => flags & (f.String | f.Number | f.BigInt | f.Any))
    return isKnown ? toTemplate(texts, types, this.program) : null
  }

  protected override convertSpecial(type: Type, from: Node): TypeData | null {
    if (type.isUnionType()) return null
    const plain = this.convertUnbranded(type, from)
    if (plain) return plain
    const name = type.getSymbol()?.name
    const known = findBuiltInType(type, this.program)?.type
    if (known && name === "Date") return { kind: "date" }
    if (known && (name === "File" || name === "Blob")) return { kind: "binary" }
    if (known) return this.#refuse(`is of type ${name}`, from)
    if (isArray(type) || isTuple(type) || findListItem(type, this.program)) return null
    const reason = findDataProblem(type, this.program)
    return reason === null ? null : this.#refuse(reason, from)
  }

  protected override convertObject(type: Type, from: Node): TypeData {
    const { checker } = this.program
    if (isTuple(type)) return removeUndefinedItems(toTuple(type, from, this.program, this.convertPart))
    const item = isArray(type) ? checker.getTypeArguments(type)[0] : findListItem(type, this.program)
    if (isArray(type) || item)
      return { kind: "array", items: item ? removeNothing(this.convertPart(item, from)) : anyType }
    const symbols = checker.getPropertiesOfType(type).filter(({ name }) => !name.startsWith("__@"))
    const properties = readProperties(type, symbols, from, this.#tools).map(addDefault)
    return toObject(type, properties, readIndexValues(type, from, this.#tools), this.program)
  }

  #refuse(reason: string, from: Node, fix = plainFix, isMistake = false): TypeData {
    const subject = this.property === "" ? "the type" : `the type of "${this.property}"`
    const message = `${subject} ${reason}, and a request cannot be checked against it`
    const problem = { message, fix, at: this.program.findPlace(from), ...(isMistake && { isMistake }) }
    return { kind: "any", problem: problem as TypeProblem }
  }
}

function toWarningKey({ message, at }: Warning): string {
  return `${at?.file}:${at?.line}:${message}`
}

function toLiteral(type: Type): TypeData | null {
  const { value, intrinsicName } = type as { value?: string | number | boolean; intrinsicName?: string }
  if (typeof value === "number" && !Number.isFinite(value)) return null
  return { kind: "literal", value: value ?? intrinsicName === "true" }
}

/** Removes undefined from the rest and the tail of a tuple, because JSON cannot contain it. Its fixed items have none. */
function removeUndefinedItems(tuple: Extract<TypeData, { kind: "tuple" }>): TypeData {
  const { rest, tail } = tuple
  return {
    ...tuple,
    ...(rest && { rest: removeNothing(rest) }),
    ...(tail && { tail: tail.map(removeNothing) }),
  }
}
